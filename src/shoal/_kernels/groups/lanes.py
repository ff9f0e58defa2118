"""Squared distances of several records at once, a lane of the processor for each.

LLVM is told which numbers go side by side, since numba does not find out. Every lane adds column after
column as plain code does, so any processor, with wide lanes or none, gets the same sums to the last bit.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

LANES = 8
NUMBER, INDEX = ir.DoubleType(), ir.IntType(64)
SEVERAL = ir.VectorType(NUMBER, LANES)
ZEROS = ir.Constant(SEVERAL, [0.0] * LANES)
FIRST = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)


def _squares_from(
    typing: Any, tiles: Any, g: Any, size: Any, means: Any, h: Any, squares: Any, row: Any
) -> Any:
    """squares[row, p] = sum over c of (X(p, c) - means[h, c])^2, for p = 0..size-1.

    X(p, c) is tiles[g, p // LANES, c, p % LANES]; a row of `squares` has room for all lanes of all tiles.
    """
    numbers = (tiles, types.int64, types.int64, means, types.int64, squares, types.int64)
    return types.void(*numbers), _build


squares_from: Any = intrinsic(_squares_from)  # squares_from(tiles, g, size, means, h, squares, row)


def _build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    tiles, means, squares = (
        context.make_array(signature.args[q])(context, builder, args[q]) for q in (0, 3, 5)
    )
    _, number, width, _ = cgutils.unpack_tuple(builder, tiles.shape)
    room = builder.mul(number, ir.Constant(INDEX, LANES))
    block = builder.gep(tiles.data, [builder.mul(args[1], builder.mul(width, room))])
    mean = builder.gep(means.data, [builder.mul(args[4], width)])
    found = builder.gep(squares.data, [builder.mul(args[6], room)])
    total, lanes = cgutils.alloca_once(builder, SEVERAL), SEVERAL.as_pointer()
    zero, step = ir.Constant(INDEX, 0), ir.Constant(INDEX, LANES)
    with cgutils.for_range_slice(builder, zero, args[2], step, INDEX) as (p, _):
        builder.store(ZEROS, total)
        tile = builder.gep(block, [builder.mul(p, width)])
        with cgutils.for_range(builder, width) as loop:
            place = builder.gep(tile, [builder.mul(loop.index, step)])
            members = builder.load(builder.bitcast(place, lanes), align=8)
            centre = _in_all_lanes(builder, builder.load(builder.gep(mean, [loop.index])))
            difference = builder.fsub(members, centre)
            square = builder.fmul(difference, difference)
            builder.store(builder.fadd(builder.load(total), square), total)
        builder.store(builder.load(total), builder.bitcast(builder.gep(found, [p]), lanes), align=8)
    return context.get_dummy_value()


def _in_all_lanes(builder: Any, number: Any) -> Any:
    """The same number in every lane."""
    empty = ir.Constant(SEVERAL, ir.Undefined)
    one = builder.insert_element(empty, number, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(one, empty, FIRST)
