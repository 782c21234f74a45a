"""What requests hold, and pages of answers."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from search_stack.query.asked import LONGEST
from search_stack.query.nodes import Node
from search_stack.query.tree_json import from_json
from search_stack.query.understand import Understood
from search_stack.retrieval.searcher import Searcher

MOST = 1000
"""Items of a page."""
GREATEST = 2**63 - 1
SourceText = Annotated[str, Field(pattern=r"^[^\x00]*$")]
"""As sources have it: neither zero bytes nor half characters, which no database takes."""
LAST_VERSION = 2**31 - 1


class Body(BaseModel):
    """A body in which nothing is passed over: a name that is not known is an error."""

    model_config = ConfigDict(extra="forbid")


def shown_by(**example: Any) -> ConfigDict:
    """For a body of a request: what it may look like, for the description and its page."""
    return ConfigDict(openapi_extra={"example": example})  # type: ignore[typeddict-unknown-key]


class Line(Body):
    model_config = shown_by(line="pleural effusion, no pneumothorax")
    line: str = Field(max_length=LONGEST, description="A query line, as on the page.")


class Asked(Body):
    """Either a line or a tree."""

    line: str | None = Field(None, max_length=LONGEST, description="A query line, as on the page.")
    query: dict[str, Any] | None = Field(None, description="A tree, as in docs/query.md.")

    @model_validator(mode="after")
    def _one(self) -> Asked:
        if (self.line is None) == (self.query is None):
            raise ValueError("give either line or query")
        return self

    def understood(self, searcher: Searcher, strictly: bool = True) -> Understood:
        """What is asked, for a search not ``strictly``: `Searcher.looked_for`; a tree is taken as it is.

        Raises:
            QueryError: it cannot be read.
        """
        if self.line is not None:
            return searcher.understand(self.line) if strictly else searcher.looked_for(self.line)
        return Understood("", self.tree())

    def tree(self) -> Node:
        """
        Raises:
            QueryError: the tree is none.
        """
        return from_json(self.query)


class From(BaseModel):
    """Which page: keys after ``after``, so that nothing is skipped or doubled where things come or go meanwhile."""

    after: int = Field(0, ge=0, le=GREATEST, description="The `next` of the page before.")
    limit: int = Field(100, ge=1, le=MOST)


class Numbered(BaseModel):
    no: int = Field(ge=1, le=GREATEST, description="The number of the patient here, which no other ever gets.")


class Keyed(BaseModel):
    key: int = Field(ge=1, le=GREATEST, description="The key of the note here, which no other ever gets.")


class Cohorted(BaseModel):
    cohort: int = Field(ge=1, le=GREATEST, description="The id of the cohort, which no other ever gets.")


class Versioned(Cohorted):
    number: int = Field(ge=1, le=LAST_VERSION, description="Of the version, from 1.")


class Reference(Body):
    """A version of a kept cohort."""

    cohort: int = Field(ge=1, le=GREATEST, description="The id of the cohort.")
    version: int | None = Field(
        None, ge=1, le=LAST_VERSION, description="Its number; where it is left out, the newest."
    )


class UnderstoodLine(BaseModel):
    """How a line was read."""

    line: str
    query: dict[str, Any]
    aside: list[str]
    notices: list[dict[str, str]]
