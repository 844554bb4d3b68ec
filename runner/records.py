"""What a run writes down. Records describe themselves: reading them needs nothing else of ours."""

import hashlib
from typing import Literal

from pydantic import BaseModel, ConfigDict

from memory.treatments import Treatment

# Ends of an episode that say something about the agent; every one of them is scored.
AGENT_STATUSES = ("completed", "max_steps", "context_exceeded", "empty_reply")
# Ends that say nothing about the agent; they are left out of every rate, and counted.
MACHINERY_STATUSES = (
    "infra_error",
    "model_error",
    "agent_crash",
    "delivery_error",
    "anchor_missing",
)
# The treatment's promise could not apply (the anchor ended before the memory was due).
UNEXPOSED_STATUSES = ("unexposed",)
Status = Literal[
    "completed",
    "max_steps",
    "context_exceeded",
    "empty_reply",
    "infra_error",
    "model_error",
    "agent_crash",
    "delivery_error",
    "anchor_missing",
    "unexposed",
]


class Record(BaseModel):
    """Base of all records: frozen, no unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Trial(Record):
    """Task × treatment × agent × seed: the unit of work."""

    task: str
    task_revision: int
    task_hash: str
    site: str
    family: str
    treatment: Treatment
    agent: str
    model: str
    seed: int

    @property
    def key(self) -> str:
        """The trial's stable, readable name."""
        who = f"{self.agent}:{self.model}" if self.model else self.agent
        return f"{self.task}@{self.task_hash[:12]}|{self.treatment.key}|{who}|s{self.seed}"

    @property
    def anchor_key(self) -> str:
        """The key of the trial without memory that this one is paired with."""
        return self.model_copy(update={"treatment": self.treatment.anchor()}).key

    @property
    def random_seed(self) -> int:
        """A seed for whatever this trial draws, independent of the order of work."""
        return int.from_bytes(hashlib.sha256(self.key.encode()).digest()[:8])


class Usage(Record):
    """Tokens and money of one step. None means unknown, which is not the same as 0."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cost_usd: float | None = None
    calls: int = 0
    cached: bool = False


class Receipt(Record):
    """Proof of delivery at one step, taken from the very prompt that was sent.

    `position` is the offset in characters of the text in its part of the prompt, `tokens` an
    estimate by characters/4. `primitive` is the target memory's first recommended move in words,
    `primitive_operation` its operation, and `primitive_element` the id of the one element it
    resolves to in this step's observation (None: resolves to none or several).
    """

    visible: bool
    text: str = ""
    sha256: str = ""
    channel: str = ""
    part: str = ""
    position: int | None = None
    tokens: int = 0
    target: str = ""
    primitive: str = ""
    primitive_operation: str = ""
    primitive_value: str = ""
    primitive_element: str | None = None


class Step(Record):
    """One turn: what was seen, what was done, what came of it. `number` counts from 1."""

    number: int
    source: Literal["agent", "replay"]
    url: str
    observation: str
    """sha256 of the observation's text; the text is in the store, once."""
    observation_truncated: bool
    receipt: Receipt
    thought: str = ""
    reasoning: str = ""
    reply: str = ""
    """The agent's raw words."""
    operation: str = ""
    """The parsed action's name; empty when it could not be parsed."""
    element: str | None = None
    value: str = ""
    target_role: str = ""
    target_name: str = ""
    error: str = ""
    """What the agent was told went wrong; empty when the action was carried out."""
    dialog: str = ""
    alerts: tuple[str, ...] = ()
    """Texts with role=alert on the page seen at this step, before the action."""
    ledger_added: tuple[str, ...] = ()
    lost: bool = False
    """Whether, after the action, the ledger holds a row that the goal's does not."""
    state: str = ""
    """Fingerprint of the world after the action."""
    usage: Usage = Usage()
    model_seconds: float = 0.0
    action_seconds: float = 0.0
    observation_seconds: float = 0.0


class Episode(Record):
    """The full record of a finished trial."""

    trial: Trial
    key: str
    status: Status
    success: bool | None
    """None unless the status is one of `AGENT_STATUSES`."""
    detail: str = ""
    """Why the machinery failed, or what keeps the final state from being the goal."""
    answer: str = ""
    attempt: int = 1
    reused: str = ""
    """Key of the anchor this episode was taken over from (retry-on-fail after a success)."""
    tries: int = 1
    """How often the machinery had to start over."""
    steps: tuple[Step, ...] = ()
    blocked_requests: tuple[str, ...] = ()
    started_at: str = ""
    seconds: float = 0.0
    simulated: bool = False
    browser: str = ""

    @property
    def scored(self) -> bool:
        """Whether the episode counts in rates."""
        return self.status in AGENT_STATUSES
