"""What every piece of a scenario has in common."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, Strict
from pydantic.alias_generators import to_camel

Int = Annotated[int, Strict()]
Bool = Annotated[bool, Strict()]
_LARGEST = 1e12
"""Of any number: what is larger is a slip, and may not fit into a float once it was multiplied."""

Positive = Annotated[float, Strict(), Field(gt=0, le=_LARGEST)]
NotNegative = Annotated[float, Strict(), Field(ge=0, le=_LARGEST)]


class Part(BaseModel):
    """A piece of a scenario: unknown keys are refused, nothing changes after it was read."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", alias_generator=to_camel, populate_by_name=True, allow_inf_nan=False
    )
