"""What an object works out when it is first asked, and keeps."""

from typing import TYPE_CHECKING, Any

__all__ = ["once"]

if TYPE_CHECKING:
    from functools import cached_property as once
else:

    class once:  # noqa: N801 (a decorator, as functools has it)
        """`functools.cached_property` as Python has it from 3.12 on: without a lock.

        Before, a child that is forked while another thread holds that lock would wait for it for ever. Two threads may
        both work it out, and find the same.

        >>> class Circle:
        ...     radius = 2
        ...     @once
        ...     def area(self): return 3 * self.radius**2
        >>> circle = Circle()
        >>> circle.area, vars(circle)
        (12, {'area': 12})
        """

        def __init__(self, work_out: Any) -> None:
            self.work_out = work_out
            self.__doc__ = work_out.__doc__

        def __set_name__(self, owner: type, name: str) -> None:
            self.name = name

        def __get__(self, one: Any, owner: type | None = None) -> Any:
            if one is None:
                return self
            return vars(one).setdefault(self.name, self.work_out(one))
