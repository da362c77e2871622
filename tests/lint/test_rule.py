import pytest

from sinbin.lint.finding import Severity
from sinbin.lint.rule import PolicyRule, registered

PAGE = "Fault.\n\n## Why\nx\n\n## Bad\nx\n\n## Good\nx\n\n## Fix\nx\n"


def define(module="sb990_made_up", *, source="https://example.test", page=PAGE, rule_id="SB990"):
    return type(
        "MadeUp",
        (PolicyRule,),
        {
            "__module__": f"rules.{module}",
            "__doc__": page,
            "id": rule_id,
            "name": "made-up",
            "severity": Severity.NOTE,
            "source": source,
            "check": lambda *_: iter(()),
        },
    )


def test_defining_a_rule_registers_it_once():
    rule = define(module="sb991_made_up", rule_id="SB991")
    assert rule in registered()
    with pytest.raises(TypeError, match=r"^rules\.sb991_made_up: SB991 is already rules\.sb991_made_up$"):
        define(module="sb991_made_up", rule_id="SB991")


def test_a_rule_in_the_wrong_file_is_refused():
    with pytest.raises(
        TypeError, match=r"^rules\.sb992_other: the rule SB990 made-up belongs in a file sb990_made_up\.py$"
    ):
        define(module="sb992_other")


def test_a_rule_without_a_source_is_refused():
    with pytest.raises(TypeError, match=r"^rules\.sb990_made_up: SB990 names no source$"):
        define(source="")


def test_a_rule_without_a_whole_page_is_refused():
    with pytest.raises(
        TypeError,
        match=r"^rules\.sb990_made_up: the docstring of SB990 needs the headings Why, Bad, Good, Fix$",
    ):
        define(page="Fault.\n\n## Bad\nx\n\n## Why\nx\n")


def test_a_family_of_rules_is_no_rule():
    before = registered()
    type("Family", (PolicyRule,), {"__doc__": "A family."})
    assert registered() == before
