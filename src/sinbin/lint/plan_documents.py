"""The plan of a stack as documents to judge: every policy and every resource, each knowing all the others."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, cast

from sinbin.lint.context import Context, Scope
from sinbin.lint.data_file import ResourceFile
from sinbin.lint.document import Document
from sinbin.lint.policy_file import PolicyFile
from sinbin.lint.resource import BACKEND, NAMED_VALUE
from sinbin.policy.source import Source
from sinbin.topology import Tier


def plan_documents(
    stack: str,
    tier: str,
    resources: Iterable[Mapping[str, Any]],
    policies: Iterable[tuple[str, str, str]],
) -> tuple[Document, ...]:
    """Return the documents of a plan.

    Args:
        stack: the environment; paths are shown as those that `sinbin render --out STACK` writes, and the resources
            as `STACK/plan.json`, what `sinbin plan -s STACK --format json` prints.
        tier: the tier of API Management.
        resources: the planned resources, in the shape of that JSON.
        policies: path, scope and text of every policy.
    """
    policies = tuple(policies)
    context = Context(tier=cast("Tier", tier))
    text = json.dumps({"resources": list(resources)}, indent=2, ensure_ascii=False)
    plan = ResourceFile(f"{stack}/plan.json", f"{text}\n", context)
    context = replace(
        context,
        backends=_names(plan, BACKEND),
        named_values=_names(plan, NAMED_VALUE),
        fragments={
            path.removeprefix("fragment-").removesuffix(".xml"): text
            for path, scope, text in policies
            if scope == "fragment"
        },
        backend_kind="azure-openai",
        parents=dict([("global", text) for _, scope, text in policies if scope == "global"][:1]),
    )
    plan.context = context
    documents: list[Document] = [plan]
    for path, scope, text in policies:
        placed = replace(context, scope=cast("Scope", scope))
        documents.append(PolicyFile(f"{stack}/{path}", Source.from_text(text, path), placed))
    for document in documents:
        document.writable = False  # none of them is a file
    return tuple(documents)


def _names(plan: ResourceFile, kind: str) -> frozenset[str]:
    return frozenset(resource.name for resource in plan.resources if resource.type == kind and resource.name)
