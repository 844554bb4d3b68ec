"""What an agent may do: one registry, from which reading, help text and tool schemas all come.

An action is one function call with literal arguments, such as `click('12')`. It is parsed, never
evaluated. In a longer reply the action is the content of the last code fence; without a fence it
is the whole reply; and where that is not a call, the last line of it that is not empty.
"""

import ast
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from probes.moves import Kind, Move
from runner.records import Record

MAX_ACTION_CHARACTERS = 100_000
ELEMENT = "id"


class ActionSyntaxError(ValueError):
    """The text is not an action. The message is written for the agent."""


class Action(Record):
    """One action. `value` is the text, label, key, path, message or tab number it carries.

    `horizontal` and `vertical` (CSS pixels, right and down positive) are used by `scroll` only.
    """

    operation: str
    element: str | None = None
    value: str = ""
    horizontal: int = 0
    vertical: int = 0


@dataclass(frozen=True)
class Parameter:
    """An argument. `field` is where it goes in `Action`."""

    name: str
    field: Literal["element", "value", "horizontal", "vertical"]
    kind: Literal["string", "integer"]
    about: str
    required: bool = True


@dataclass(frozen=True)
class Operation:
    """Something an agent can do. `example` is a call as the agent would write it."""

    name: str
    about: str
    example: str
    parameters: tuple[Parameter, ...] = ()


_ID = Parameter(ELEMENT, "element", "string", "the number in brackets before the element")


def _text(name: str, about: str, *, required: bool = True) -> Parameter:
    return Parameter(name, "value", "string", about, required)


_ALL = (
    Operation("click", "Click an element.", "click('12')", (_ID,)),
    Operation(
        "fill",
        "Replace the text of a field. Dates are written YYYY-MM-DD.",
        "fill('12', 'text')",
        (_ID, _text("text", "the new text")),
    ),
    Operation(
        "select_option",
        "Choose an option of a list by its visible label.",
        "select_option('12', 'Label')",
        (_ID, _text("label", "the option's visible label")),
    ),
    Operation("check", "Switch a checkbox, radio button or switch on.", "check('12')", (_ID,)),
    Operation("uncheck", "Switch a checkbox or switch off.", "uncheck('12')", (_ID,)),
    Operation(
        "press",
        "Press a key or a combination such as Control+A in an element.",
        "press('12', 'Enter')",
        (_ID, _text("key", "the key")),
    ),
    Operation(
        "scroll",
        "Scroll the page, by pixels to the right and down.",
        "scroll(0, 400)",
        (
            Parameter("dx", "horizontal", "integer", "pixels to the right"),
            Parameter("dy", "vertical", "integer", "pixels down; negative is up"),
        ),
    ),
    Operation("goto", "Visit a path.", "goto('/path')", (_text("path", "the path"),)),
    Operation("go_back", "Go back to the page before.", "go_back()"),
    Operation("new_tab", "Open an empty tab.", "new_tab()"),
    Operation(
        "tab_focus",
        "Turn to another tab.",
        "tab_focus(0)",
        (Parameter("index", "value", "integer", "the tab's number"),),
    ),
    Operation(
        "tab_close",
        "Close a tab.",
        "tab_close(1)",
        (Parameter("index", "value", "integer", "the tab's number"),),
    ),
    Operation(
        "dialog_accept",
        "Answer an open dialog with OK; a prompt with the given text.",
        "dialog_accept()",
        (_text("text", "the answer to a prompt", required=False),),
    ),
    Operation("dialog_dismiss", "Answer an open dialog with Cancel.", "dialog_dismiss()"),
    Operation("noop", "Do nothing.", "noop()"),
    Operation(
        "send_msg_to_user",
        "Say something to the user.",
        "send_msg_to_user('text')",
        (_text("text", "what to say"),),
    ),
    Operation(
        "stop",
        "Declare the task finished, with a closing answer.",
        "stop('answer')",
        (_text("answer", "the closing answer", required=False),),
    ),
)
OPERATIONS: Mapping[str, Operation] = {operation.name: operation for operation in _ALL}

OPERATION_OF: Mapping[Kind, str] = {
    "click": "click",
    "fill": "fill",
    "select": "select_option",
    "check": "check",
    "uncheck": "uncheck",
    "press": "press",
    "goto": "goto",
    "stop": "stop",
}
"""The operation that carries out each kind of move."""
_LARGEST = 10**9

_FENCE = re.compile(r"```[^\n`]*\n(.*?)```", re.DOTALL)
_HALF_CHARACTER = re.compile(r"[\ud800-\udfff]")


def parse(text: str) -> Action:
    """The action in `text`, found by the rule at the top of this file."""
    text = _HALF_CHARACTER.sub("\ufffd", text)
    fences = _FENCE.findall(text)
    body = (fences[-1] if fences else text).strip()
    if not body:
        raise ActionSyntaxError("the reply holds no action; write one call, such as click('12')")
    call = _call(body)
    if call is None:
        call = _call(body.splitlines()[-1].strip())
    if call is None:
        raise ActionSyntaxError(
            "the reply does not end with one action; its last line must be one call, such as "
            "click('12'), with text between quote marks"
        )
    name, arguments, keywords = call
    operation = _operation(name)
    if len(arguments) > len(operation.parameters):
        raise ActionSyntaxError(
            f"{name} takes {len(operation.parameters)} argument(s), not {len(arguments)}; "
            f"write {operation.example}"
        )
    given = dict(zip((each.name for each in operation.parameters), arguments, strict=False))
    if twice := given.keys() & keywords.keys():
        raise ActionSyntaxError(f"{name} got {', '.join(sorted(twice))} twice")
    return _build(operation, given | keywords)


def from_tool_call(name: str, arguments_json: str) -> Action:
    """The action of a model's tool call. Anything but a JSON object of arguments is refused."""
    operation = _operation(name)
    try:
        arguments = json.loads(arguments_json)
    except (ValueError, RecursionError) as error:
        raise ActionSyntaxError(f"the arguments of {name} are not valid JSON") from error
    if not isinstance(arguments, dict):
        raise ActionSyntaxError(f"the arguments of {name} must be a JSON object")
    return _build(operation, arguments)


def format_action(action: Action) -> str:
    """The text of an action: the inverse of `parse`."""
    operation = OPERATIONS[action.operation]
    parts = []
    for parameter in operation.parameters:
        value = getattr(action, parameter.field)
        if parameter.required or value != "":
            parts.append(str(value) if parameter.kind == "integer" else repr(value))
    return f"{action.operation}({', '.join(parts)})"


def move_action(move: Move, element_id: str | None) -> str:
    """The text of the action that carries out `move` on the element that it resolves to."""
    return format_action(
        Action(operation=OPERATION_OF[move.kind], element=element_id, value=move.value)
    )


def action_help() -> str:
    """All actions for a prompt, one a line."""
    return "\n".join(f"{operation.example} - {operation.about}" for operation in _ALL)


def tool_schemas() -> list[dict[str, Any]]:
    """All actions as tools for a model with tool calling (OpenAI's form)."""
    return [
        {
            "type": "function",
            "function": {
                "name": operation.name,
                "description": operation.about,
                "parameters": {
                    "type": "object",
                    "properties": {
                        each.name: {"type": each.kind, "description": each.about}
                        for each in operation.parameters
                    },
                    "required": [each.name for each in operation.parameters if each.required],
                    "additionalProperties": False,
                },
            },
        }
        for operation in _ALL
    ]


def _operation(name: str) -> Operation:
    if name not in OPERATIONS:
        raise ActionSyntaxError(
            f"there is no action {name[:60]!r}; the actions are {', '.join(OPERATIONS)}"
        )
    return OPERATIONS[name]


def _call(text: str) -> tuple[str, list[Any], dict[str, Any]] | None:
    """Name and literal arguments when `text` is one call; None when it is not."""
    if len(text) > MAX_ACTION_CHARACTERS:
        raise ActionSyntaxError(f"an action has at most {MAX_ACTION_CHARACTERS} characters")
    try:
        tree = ast.parse(text.strip("`"), mode="eval").body
        if not isinstance(tree, ast.Call) or not isinstance(tree.func, ast.Name):
            return None
        arguments = [ast.literal_eval(each) for each in tree.args]
        keywords = {str(each.arg): ast.literal_eval(each.value) for each in tree.keywords}
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        return None
    return tree.func.id, arguments, keywords


def _build(operation: Operation, given: Mapping[str, Any]) -> Action:
    known = {parameter.name: parameter for parameter in operation.parameters}
    if unknown := given.keys() - known.keys():
        raise ActionSyntaxError(
            f"{operation.name} has no argument {', '.join(sorted(unknown))[:60]!r}; "
            f"write {operation.example}"
        )
    fields: dict[str, Any] = {}
    for name, parameter in known.items():
        if name in given:
            fields[parameter.field] = _argument(operation, parameter, given[name])
        elif parameter.required:
            raise ActionSyntaxError(
                f"{operation.name} needs the argument {name} ({parameter.about}); "
                f"write {operation.example}"
            )
    return Action(operation=operation.name, **fields)


def _argument(operation: Operation, parameter: Parameter, value: Any) -> str | int:
    """One rule for all operations: whole numbers and their digits are taken for each other."""
    whole = isinstance(value, int) and not isinstance(value, bool) and abs(value) < _LARGEST
    if parameter.kind == "integer":
        if not whole and not (
            isinstance(value, str) and re.fullmatch(r"\s*[-+]?\d{1,9}\s*", value)
        ):
            raise ActionSyntaxError(
                f"{parameter.name} of {operation.name} must be a whole number; "
                f"write {operation.example}"
            )
        return str(int(value)) if parameter.field == "value" else int(value)
    if not whole and not isinstance(value, str):
        raise ActionSyntaxError(
            f"{parameter.name} of {operation.name} must be text between quote marks; "
            f"write {operation.example}"
        )
    text = _HALF_CHARACTER.sub("\ufffd", str(value))
    return (
        text.strip().removeprefix("[").removesuffix("]") if parameter.field == "element" else text
    )
