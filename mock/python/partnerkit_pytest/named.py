"""What has names that tests may mistype."""

from dataclasses import fields
from typing import TYPE_CHECKING, Any


class Named:
    """A dataclass whose error for an unknown name lists the names there are."""

    if not TYPE_CHECKING:  # Type checkers know the names, and must refuse others.

        def __getattr__(self, name: str) -> Any:
            there_are = ", ".join(field.name for field in fields(self))
            raise AttributeError(f"{type(self).__name__.lower()} has no {name}; it has {there_are}", name=name, obj=self)
