"""Names of Azure resources: legal, short enough, and the same on every run.

A name is built from what a person chose (workload, environment, region, model), never from a list position,
so that adding a region renames nothing. Azure refuses a dot in the name of a backend; `slug` removes it.

Source of lengths and characters:
https://learn.microsoft.com/azure/azure-resource-manager/management/resource-name-rules, read 2026-11-29.
"""

import hashlib
import re

BACKEND_NAME_LENGTH = 80
DEPLOYMENT_NAME_LENGTH = 64
SUBDOMAIN_LENGTH = 64
SERVICE_NAME_LENGTH = 50

_HASH_LENGTH = 6


def slug(text: str) -> str:
    """Return `text` in lower case with every run of other characters than letters and digits as one hyphen."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def join(*parts: str, length: int) -> str:
    """Return the slugs of `parts` joined by hyphens, at most `length` characters.

    A longer name is cut and ends in a hash of the whole, so that two long names stay different.
    """
    name = "-".join(piece for piece in map(slug, parts) if piece)
    if len(name) <= length:
        return name
    digest = hashlib.sha256(name.encode()).hexdigest()[:_HASH_LENGTH]
    return f"{name[: length - _HASH_LENGTH - 1].rstrip('-')}-{digest}"
