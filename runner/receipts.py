"""Proof of delivery: what a prompt really holds of the memory that was promised."""

import hashlib
from collections.abc import Sequence

from memory.channels import PART_OF_CHANNEL, Prompt
from memory.schedules import Schedule
from memory.treatments import Delivery
from probes.moves import phrase
from probes.task import first_primitive
from runner.actions import OPERATION_OF
from runner.errors import MachineryError
from runner.observation import Observation
from runner.prompts import as_messages
from runner.records import Receipt, Status, Step
from runner.resolve import the_element

NO_RECEIPT = Receipt(visible=False)
CHARACTERS_PER_TOKEN = 4


def make_receipt(prompt: Prompt, channel: str, delivery: Delivery, seen: Observation) -> Receipt:
    """The receipt for a memory that must be in `prompt`. Raises when it is not there."""
    part = PART_OF_CHANNEL[channel]
    position = getattr(prompt, part).find(delivery.text)
    sent = "\n".join(str(message["content"]) for message in as_messages(prompt))
    if position < 0 or delivery.text not in sent:
        raise MachineryError(f"the {channel} channel lost the memory", status="delivery_error")
    assert delivery.target is not None
    primitive = first_primitive(delivery.target)
    return Receipt(
        visible=True,
        text=delivery.text,
        sha256=hashlib.sha256(delivery.text.encode()).hexdigest(),
        channel=channel,
        part=part,
        position=position,
        tokens=round(len(delivery.text) / CHARACTERS_PER_TOKEN),
        target=delivery.target.id,
        primitive="" if primitive is None else phrase(primitive),
        primitive_operation="" if primitive is None else OPERATION_OF[primitive.kind],
        primitive_value="" if primitive is None else primitive.value,
        primitive_element=None if primitive is None else the_element(primitive, seen),
    )


def broken_promise(
    steps: Sequence[Step], delivery: Delivery, schedule: Schedule, attempt: int
) -> tuple[Status | None, str]:
    """(status, why) of an episode that did not get what its schedule promised; (None, "") else.

    An episode that ended before the memory was due is `unexposed`; one that should have had it and
    has no receipt is a `delivery_error`. Neither is a data point.
    """
    if not delivery.text:
        return None, ""
    promised = [step.number for step in steps if schedule.visible(step.number, attempt)]
    received = [step.number for step in steps if step.receipt.visible]
    if promised != received:
        return "delivery_error", f"memory promised at steps {promised}, receipts for {received}"
    if not promised:
        return "unexposed", "the episode ended before the memory was due"
    return None, ""
