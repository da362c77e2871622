"""Every template renders its golden cases and refuses what its parameters must not hold."""

from typing import Any

import pytest
import yaml
from pydantic import ValidationError

from policy_templates.pages import parameter_model, template_folders
from sinbin.policy.render import render_template

FOLDERS = template_folders()


def cases(kind: str) -> list[Any]:
    found = []
    for folder in FOLDERS:
        document = yaml.safe_load((folder / "cases.yaml").read_text("utf-8"))
        found += [pytest.param(folder, case, id=f"{folder.name}: {case['name']}") for case in document[kind]]
    return found


@pytest.mark.parametrize(("folder", "case"), cases("renders"))
def test_a_template_renders_its_golden_text(folder, case):
    assert render_template(folder, parameter_model(folder)(**case["params"])) == case["expect"]


@pytest.mark.parametrize(("folder", "case"), cases("refused"))
def test_a_template_refuses_parameters_it_must_not_hold(folder, case):
    with pytest.raises(ValidationError) as caught:
        parameter_model(folder)(**case["params"])
    assert [".".join(map(str, e["loc"])) + ": " + e["msg"] for e in caught.value.errors()] == case["errors"]


def test_every_template_has_golden_and_refused_cases():
    assert [folder for folder in FOLDERS if not (folder / "cases.yaml").is_file()] == []
    assert {case.values[0] for case in cases("renders")} == set(FOLDERS)
    assert {case.values[0] for case in cases("refused")} == set(FOLDERS)
