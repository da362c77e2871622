"""Names that the parameters of several templates hold."""

from typing import Annotated

from pydantic import Field

Name = Annotated[
    str, Field(pattern=r"^[a-z0-9]([a-z0-9-]{0,78}[a-z0-9])?$", description="Id of an Azure resource.")
]
Alias = Annotated[
    str, Field(pattern=r"^[A-Za-z0-9]([A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$", description="Name that callers use.")
]
