"""Three things that compiled code on several threads needs and Numba does not offer: swap, add, and fetch ahead.

Each works on a one-dimensional array whose items lie side by side. Nothing here looks at bounds.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic


def _place(context: Any, builder: Any, array: Any, values: Any, index: Any) -> Any:
    """The address of an item."""
    made = context.make_array(array)(context, builder, values)
    return cgutils.get_item_pointer(context, builder, array, made, [index], wraparound=False)


@intrinsic
def swap(_typing: Any, array: Any, index: Any, old: Any, new: Any) -> Any:
    """Put `new` where `old` is, at once for all threads; the result is what was there."""
    signature = array.dtype(array, types.intp, array.dtype, array.dtype)

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        values, at, before, after = arguments
        place = _place(context, builder, array, values, at)
        found = builder.cmpxchg(place, before, after, "acq_rel", "monotonic")
        return builder.extract_value(found, 0)

    return signature, generate


@intrinsic
def add(_typing: Any, array: Any, index: Any, amount: Any) -> Any:
    """Add to an item, at once for all threads; the result is what was there before."""
    signature = array.dtype(array, types.intp, array.dtype)

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        values, at, more = arguments
        return builder.atomic_rmw("add", _place(context, builder, array, values, at), more, "acq_rel")

    return signature, generate


@intrinsic
def fetch(_typing: Any, array: Any, index: Any) -> Any:
    """Have an item brought from memory while other work is done; it may lie anywhere."""
    signature = types.void(array, types.intp)

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        values, at = arguments
        place = builder.bitcast(_place(context, builder, array, values, at), ir.PointerType(ir.IntType(8)))
        number = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [place.type, number, number, number])
        prefetch = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        builder.call(prefetch, [place, number(0), number(3), number(1)])
        return context.get_dummy_value()

    return signature, generate
