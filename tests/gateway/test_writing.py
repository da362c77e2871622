"""Sections as written-out Python: whatever a document nests, and whatever fails in it."""

import pytest

from sinbin.gateway.configuration import Api, GatewayConfiguration, PolicySource
from sinbin.gateway.gateway import Gateway
from sinbin.gateway.messages import Headers, HttpRequest
from sinbin.gateway.testing.driver import Driver
from sinbin.gateway.trace import Trace


def driver_of(inbound):
    text = f"<policies><inbound>{inbound}</inbound></policies>"
    api = Api(name="api", path="", policy=PolicySource(text=text, name="api.xml"))
    return Driver(Gateway(GatewayConfiguration(apis=(api,))))


def run(inbound, trace=None):
    return driver_of(inbound).run(HttpRequest("GET", "/x"), {}, trace=trace)


def when(number):
    return (
        f'<when condition="@(context.Request.Headers.GetValueOrDefault("n", "") == "{number}")">'
        f'<set-variable name="took" value="{number}" /></when>'
    )


ANSWER = '<return-response><set-status code="299" /></return-response>'


def test_a_choose_of_any_length_takes_its_first_branch_that_holds():
    other = '<otherwise><set-variable name="took" value="other" /></otherwise>'
    driver = driver_of(f"<choose>{''.join(map(when, range(1500)))}{other}</choose>{ANSWER}")
    for number in ("0", "39", "40", "41", "1499", "other"):
        ran = driver.run(HttpRequest("GET", "/x", Headers({"n": number})), {})
        assert ran.answer.variables == {"took": number}


@pytest.mark.parametrize(
    ("opening", "closing"),
    [
        ('<choose><when condition="@(true)">', "</when></choose>"),
        ('<retry condition="@(false)" count="1" interval="0">', "</retry>"),
        ('<limit-concurrency key="k{}" max-count="1">', "</limit-concurrency>"),
    ],
)
def test_policies_may_stand_in_each_other_sixty_levels_deep(opening, closing):
    inside = '<set-variable name="deep" value="@(1 + 1)" />'
    ran = run("".join(opening.format(level) for level in range(60)) + inside + closing * 60 + ANSWER)
    assert ran.answer.variables == {"deep": 2}


@pytest.mark.parametrize("traced", [False, True])
@pytest.mark.parametrize(
    ("value", "message"),
    [
        (
            '@((string)context.Variables["none"])',
            "Expression evaluation failed. The given key 'none' was not present in the dictionary.",
        ),
        (
            "@(context.LastError.Reason)",
            "Expression evaluation failed. Object reference not set to an instance of an object.",
        ),
        (
            "@{ while (true) { } }",
            "Expression evaluation failed. the expression took more than 1,000,000 steps",
        ),
    ],
)
def test_a_failing_expression_is_put_down_to_the_policy_that_holds_it(value, message, traced):
    policy = f'<set-variable name="a" value="1" /><set-variable id="mine" name="v" value="{value}" />'
    ran = run(
        f'<choose><when condition="@(true)"><retry condition="@(false)" count="1" interval="0">{policy}</retry>'
        "</when></choose>",
        trace=Trace() if traced else None,
    )
    error = ran.answer.last_error
    assert (error.source, error.reason) == ("set-variable", "ExpressionValueEvaluationFailure")
    assert error.message == message
    assert (error.path, error.policy_id) == (r"choose[1]\when[1]\retry[1]\set-variable[2]", "mine")


def test_the_values_of_a_policy_are_computed_in_their_order():
    ran = run(
        """<rewrite-uri template="@((string)context.Variables["first"])" """
        """copy-unmatched-params="@((bool)context.Variables["second"])" />"""
    )
    assert "'first'" in ran.answer.last_error.message


def test_a_condition_that_fails_is_put_down_to_its_choose_although_policies_stand_inside():
    inner = '<set-variable name="v" value="1" />'
    ran = run(f'{inner}<choose><when condition="@(context.Response.StatusCode == 1)">{inner}</when></choose>')
    assert ran.answer.last_error.path == "choose[1]"


def test_a_fault_of_a_policys_own_code_is_no_failure_of_the_request(monkeypatch):
    def broken(*_):
        return None.nothing

    monkeypatch.setattr("sinbin.gateway.policies.observing.TraceMessage", broken)
    with pytest.raises(AttributeError, match="nothing"):
        run('<trace source="s"><message>m</message></trace>')


def test_a_text_of_the_document_stays_a_text():
    odd = "x'); raise SystemExit #\\n{context} \u2028 \U0001f600"
    escaped = odd.replace("&", "&amp;")
    ran = run(f'<set-variable name="{escaped}" value="{escaped}" />{ANSWER}')
    assert ran.answer.variables == {odd: odd}
