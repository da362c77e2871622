"""Whatever is asked, the answer is ARM's: never a fault of ours."""

import json
import re
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from sinbin.local.control_plane.judge import judge
from sinbin.local.control_plane.plane import DEFAULT_SUBSCRIPTION, ControlPlane
from sinbin.local.control_plane.resource import TYPES, ArmRequest
from sinbin.local.control_plane.shapes import Shape
from sinbin.local.control_plane.store import Store

ROOT = f"/subscriptions/{DEFAULT_SUBSCRIPTION}"
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-5, 700)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8)
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=4,
)
WORDS = st.sampled_from(
    ["uksouth", "S0", "AIServices", "Developer", "PT1M", "P1M", "/backends/acc", "acc", "Pool", "Single", "http", "rawxml",
     "<policies/>", "<policies><inbound><set-backend-service backend-id='acc'/></inbound></policies>", "<fragment/>",
     "Standard", "OpenAI", "gpt-4.1-mini", "/products/acc", "/apis/acc", "SystemAssigned", "applicationInsights"]
)  # fmt: skip


def fitting(shape: Shape, depth: int = 0) -> st.SearchStrategy[Any]:
    """Bodies of the right form, with any values and some that mean something."""
    if shape.kind == "object":
        if depth > 5:
            return st.just({})
        fields = {
            name: fitting(field.shape, depth + 1) for name, field in shape.fields.items() if not field.read_only
        }
        required = {
            name for name, field in shape.fields.items() if field.required or name in {"location", "properties"}
        }
        needed = {name: strategy for name, strategy in fields.items() if name in required}
        optional = {name: strategy for name, strategy in fields.items() if name not in required}
        return (
            st.fixed_dictionaries(needed, optional=optional)
            if depth < 2
            else st.fixed_dictionaries({}, optional=fields)
        )
    if shape.kind == "array":
        return st.lists(fitting(shape.item or Shape(kind="any"), depth + 1), max_size=2)
    if shape.kind == "map":
        return st.dictionaries(
            st.sampled_from(["connectionString", "k"]),
            fitting(shape.item or Shape(kind="any"), depth + 1),
            max_size=2,
        )
    if shape.values:
        return st.sampled_from(shape.values)
    return {
        "integer": st.integers(-1, 600),
        "number": st.floats(-1, 9),
        "boolean": st.booleans(),
        "duration": st.sampled_from(["PT1M", "P1M", "PT0S"]),
        "datetime": st.just("2026-11-29T00:00:00Z"),
    }.get(shape.kind, WORDS | VALUES)  # fmt: skip


def paths(kind) -> st.SearchStrategy[str]:
    """Paths of the type, in parents that mostly are there; most names are ones that the type takes."""
    words = kind.type.split("/")
    likely = ["acc", "policy", "apim", "applicationinsights", "5e0bd9bd-7b93-4f28-af87-19fc36ad61bd"]
    taken = [name for name in likely if re.fullmatch(kind.name_pattern, name)]
    names = st.sampled_from([*taken * 3, "a", "ö\x01", "a b"])
    if kind.type == "Microsoft.Resources/resourceGroups":
        return names.map(lambda name: f"{ROOT}/resourceGroups/{name}")

    def build(chosen: list[str]) -> str:
        middle = "/".join(f"{word}/{name}" for word, name in zip(words[1:], chosen, strict=True))
        return f"{ROOT}/resourceGroups/rg/providers/{words[0]}/{middle}"

    known = {"service": "apim", "accounts": "acc"}
    parents = [st.just(known.get(word, "acc")) for word in words[1:-1]]
    return st.tuples(*parents, names).map(list).map(build)


def requests() -> st.SearchStrategy[tuple[str, str, str, Any]]:
    def of(kind):
        body = fitting(kind.shape()) | VALUES
        return st.tuples(
            st.sampled_from(["PUT", "PUT", "PUT", "PATCH", "DELETE", "GET", "HEAD", "POST"]),
            paths(kind),
            st.just(kind.api_versions[0]),
            body,
        )

    return st.sampled_from(sorted(TYPES)).map(TYPES.__getitem__).flatmap(of)


@settings(max_examples=25, deadline=None)
@given(st.lists(requests(), min_size=1, max_size=12))
def test_every_answer_is_arms_and_every_resource_can_be_read_back(asked):
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder) / "state.db")
        plane = ControlPlane(store, iter(range(0, 10**9, 60)).__next__, provisioning_s=1)

        def send(method, path, version, body=None):
            headers = {"if-match": "*"} if method in {"PATCH", "DELETE"} else {}
            query = {"api-version": version}
            answer = plane.handle(ArmRequest(method=method, path=path, query=query, headers=headers, body=body))
            assert 200 <= answer.status < 500
            json.dumps(answer.body, allow_nan=False)
            return answer

        group = f"{ROOT}/resourceGroups/rg"
        send("PUT", group, "2024-03-01", {"location": "uksouth"})
        apim = {"location": "uksouth", "sku": {"name": "Developer", "capacity": 1}}
        apim["properties"] = {"publisherName": "c", "publisherEmail": "c"}
        send("PUT", f"{group}/providers/Microsoft.ApiManagement/service/apim", "2024-05-01", apim)
        acc = {"location": "uksouth", "kind": "AIServices", "sku": {"name": "S0"}, "properties": {}}
        send("PUT", f"{group}/providers/Microsoft.CognitiveServices/accounts/acc", "2025-06-01", acc)
        for kind, properties in (
            ("backends", {"url": "https://x", "protocol": "http"}),
            ("apis", {"displayName": "x"}),
            ("products", {"displayName": "x"}),
        ):
            entity = f"{group}/providers/Microsoft.ApiManagement/service/apim/{kind}/acc"
            assert send("PUT", entity, "2024-05-01", {"properties": properties}).status == 201
        for method, path, version, body in asked:
            if send(method, path, version, body).status in {200, 201} and method in {"PUT", "PATCH"}:
                assert send("GET", path, version).status == 200
        store.close()


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(TYPES)), VALUES)
def test_the_judge_takes_its_own_result(name, body):
    shape = TYPES[name].shape()
    taken, problems = judge(body, shape)
    if not problems:
        assert judge(taken, shape) == (taken, [])


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=60), st.sampled_from(["GET", "PUT", "POST", "DELETE"]))
def test_no_path_makes_the_plane_fail(path, method):
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder) / "state.db")
        plane = ControlPlane(store, lambda: 0.0)
        answer = plane.handle(
            ArmRequest(
                method=method, path=f"/subscriptions/{path}", query={"api-version": "2024-03-01"}, headers={}
            )
        )
        assert 200 <= answer.status < 500
        store.close()
