"""What every piece of a scenario has in common."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, Strict
from pydantic.alias_generators import to_camel

Int = Annotated[int, Strict()]
Bool = Annotated[bool, Strict()]
Positive = Annotated[float, Strict(), Field(gt=0)]
NotNegative = Annotated[float, Strict(), Field(ge=0)]


class Part(BaseModel):
    """A piece of a scenario: unknown keys are refused, nothing changes after it was read."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", alias_generator=to_camel, populate_by_name=True, allow_inf_nan=False
    )
