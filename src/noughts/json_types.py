"""The types of the data that JSON can hold."""

from typing import TypeAlias

__all__ = ["Json", "JsonObject"]

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
JsonObject: TypeAlias = dict[str, Json]
