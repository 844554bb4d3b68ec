"""Reading actions: one grammar, whatever a model writes."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probes import moves
from runner.actions import (
    MAX_ACTION_CHARACTERS,
    OPERATIONS,
    Action,
    ActionSyntaxError,
    action_help,
    format_action,
    from_tool_call,
    move_action,
    parse,
    tool_schemas,
)

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=50)
STRANGE = st.text(st.characters(), max_size=200)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("click('12')", Action(operation="click", element="12")),
        ('click("12")', Action(operation="click", element="12")),
        ("click(12)", Action(operation="click", element="12")),
        ("click('[12]')", Action(operation="click", element="12")),
        ("click(id='12')", Action(operation="click", element="12")),
        ("  fill('3', 'it''s')  ", Action(operation="fill", element="3", value="its")),
        (r"fill('3', 'a\nb')", Action(operation="fill", element="3", value="a\nb")),
        ("fill('3', 100)", Action(operation="fill", element="3", value="100")),
        ("select_option('3', 'A')", Action(operation="select_option", element="3", value="A")),
        ("scroll(0, -400)", Action(operation="scroll", vertical=-400)),
        ("scroll('0', '400')", Action(operation="scroll", vertical=400)),
        ("tab_focus(1)", Action(operation="tab_focus", value="1")),
        ("dialog_accept()", Action(operation="dialog_accept")),
        ("stop()", Action(operation="stop")),
        ("I will save now.\nclick('12')", Action(operation="click", element="12")),
        ("I will save.\n\n`click('12')`\n", Action(operation="click", element="12")),
        ("```\nclick('1')\n```\nor\n```python\nclick('2')\n```\nok?", parse("click('2')")),
        ("fill('1', '''two\nlines''')", Action(operation="fill", element="1", value="two\nlines")),
        ("fill('1', 'half \ud83d')", Action(operation="fill", element="1", value="half \ufffd")),
    ],
)
def test_what_is_read(text: str, action: Action) -> None:
    assert parse(text) == action


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "holds no action"),
        ("``` ```", "does not end with one action"),
        ("I am done.", "does not end with one action"),
        ("click('1')\nThat was it.", "does not end with one action"),
        ("click('1'); click('2')", "does not end with one action"),
        ("click('1'), click('2')", "does not end with one action"),
        ("click(__import__('os').getcwd())", "does not end with one action"),
        ("page.click('1')", "does not end with one action"),
        ("click('1' + '2')", "does not end with one action"),
        ("click(f'{1}')", "does not end with one action"),
        ("fill('1', 'a\x00')", "does not end with one action"),
        ("press_button('1')", "there is no action 'press_button'; the actions are click, fill"),
        ("click()", "click needs the argument id"),
        ("click('1', '2')", "click takes 1 argument"),
        ("click('1', id='2')", "twice"),
        ("click(**{'id': '1'})", "no argument"),
        ("click(True)", "must be text between quote marks"),
        ("click(None)", "must be text"),
        ("click(['1'])", "must be text"),
        ("scroll(0, 'far')", "must be a whole number; write scroll(0, 400)"),
        ("scroll(0.5, 1)", "must be a whole number"),
        ("scroll(0, 0x" + "f" * 5000 + ")", "must be a whole number"),
        ("click(" + "1" * 5000 + ")", "does not end"),
        ("(" * 5000, "does not end"),
        ("-" * 90_000 + "1", "does not end"),
        ("click(" + "[" * 3000 + "]" * 3000 + ")", "does not end"),
        ("click('" + "1" * MAX_ACTION_CHARACTERS + "')", "at most 100000 characters"),
    ],
)
def test_what_is_refused(text: str, message: str) -> None:
    with pytest.raises(ActionSyntaxError) as caught:
        parse(text)
    assert message in str(caught.value)
    assert len(str(caught.value)) < 600


@given(STRANGE)
def test_any_text_is_read_or_refused(text: str) -> None:
    for each in (text, f"click({text})", f"fill('1', '{text}')", f"```\n{text}\n```"):
        try:
            format_action(parse(each)).encode()
        except ActionSyntaxError as error:
            str(error).encode()


@st.composite
def actions(draw: st.DrawFn) -> Action:
    operation = OPERATIONS[draw(st.sampled_from(sorted(OPERATIONS)))]
    fields = {}
    for parameter in operation.parameters:
        number = draw(st.integers(-9999, 9999))
        text = draw(TEXT)
        if parameter.field == "element":
            text = str(abs(number))
        fields[parameter.field] = number if parameter.kind == "integer" else text
        if parameter.name == "index":
            fields["value"] = str(number)
    return Action(operation=operation.name, **fields)


@given(actions())
def test_writing_and_reading_are_inverse(action: Action) -> None:
    assert parse(format_action(action)) == action
    given_arguments = {
        parameter.name: getattr(action, parameter.field)
        for parameter in OPERATIONS[action.operation].parameters
    }
    assert from_tool_call(action.operation, json.dumps(given_arguments)) == action


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ('{"id": "Par', "not valid JSON"),
        ("", "not valid JSON"),
        ("[]", "must be a JSON object"),
        ("null", "must be a JSON object"),
        ('"x"', "must be a JSON object"),
        ("{}", "needs the argument id"),
        ('{"id": false}', "must be text"),
        ('{"id": "1", "force": "true"}', "no argument 'force'"),
        ("[" * 100_000, "not valid JSON"),
    ],
)
def test_bad_tool_calls_are_refused(arguments: str, message: str) -> None:
    with pytest.raises(ActionSyntaxError, match=message):
        from_tool_call("click", arguments)
    with pytest.raises(ActionSyntaxError, match="there is no action 'clik'"):
        from_tool_call("clik", '{"id": "1"}')


@given(STRANGE, STRANGE)
def test_any_tool_call_is_read_or_refused(name: str, arguments: str) -> None:
    for each in (name, "click"):
        for given_arguments in (arguments, json.dumps({"id": arguments}), json.dumps({name: "1"})):
            try:
                format_action(from_tool_call(each, given_arguments)).encode()
            except ActionSyntaxError as error:
                str(error).encode()


def test_help_and_schemas_come_from_the_registry() -> None:
    lines = action_help().splitlines()
    assert len(lines) == len(OPERATIONS) == len(tool_schemas())
    for line, operation, schema in zip(lines, OPERATIONS.values(), tool_schemas(), strict=True):
        assert parse(operation.example).operation == operation.name
        assert line.startswith(operation.example)
        assert schema["function"]["name"] == operation.name
        properties = schema["function"]["parameters"]["properties"]
        assert list(properties) == [parameter.name for parameter in operation.parameters]


@pytest.mark.parametrize(
    ("move", "element", "text"),
    [
        (moves.click("button", "Save"), "3", "click('3')"),
        (moves.fill("Name", "Ann's"), "3", "fill('3', \"Ann's\")"),
        (moves.select("Why", "Lost"), "3", "select_option('3', 'Lost')"),
        (moves.check("Gift"), "3", "check('3')"),
        (moves.uncheck("Gift"), "3", "uncheck('3')"),
        (moves.press("Name", "Enter"), "3", "press('3', 'Enter')"),
        (moves.goto("/refunds/"), None, "goto('/refunds/')"),
        (moves.stop("Done."), None, "stop('Done.')"),
    ],
)
def test_moves_become_actions(move: moves.Move, element: str | None, text: str) -> None:
    assert move_action(move, element) == text
    parse(text)
