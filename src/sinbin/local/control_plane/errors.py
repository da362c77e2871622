"""Errors as Azure Resource Manager words them: `{"error": {"code", "message", "target", "details"}}`."""

from collections.abc import Sequence
from typing import Any


class ArmError(Exception):
    """A request that ARM refuses.

    `status` is the HTTP status, `code` is the word that programs look at, `message` the one that people read.
    """

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        *,
        target: str | None = None,
        details: Sequence["ArmError"] = (),
    ) -> None:
        self.status = status
        self.code = code
        self.message = message
        self.target = target
        self.details = tuple(details)
        super().__init__(f"{status} {code}: {message}")

    def body(self) -> dict[str, Any]:
        """Return the body of the answer."""
        return {"error": self._entry()}

    def _entry(self) -> dict[str, Any]:
        entry: dict[str, Any] = {"code": self.code, "message": self.message}
        if self.target is not None:
            entry["target"] = self.target
        if self.details:
            entry["details"] = [detail._entry() for detail in self.details]  # noqa: SLF001
        return entry


def validation_error(target: str, message: str) -> ArmError:
    """Return the refusal of a field by API Management.

    Source: answers quoted in https://github.com/Azure/bicep/issues/14097, read 2026-11-29.
    """
    detail = ArmError(400, "ValidationError", message, target=target)
    return ArmError(
        400, "ValidationError", f"One or more fields contain incorrect values:\n{message}", details=[detail]
    )
