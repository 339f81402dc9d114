"""The parameters of a network for games with blocks: its file, random ones, and wider ones with the same function.

``core/search/block_network.hpp`` describes their meaning; both files must agree. Needs numpy but not noughts.
"""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["SCALE", "NetShape", "Parameters"]

MAGIC, HEADER = b"NNN2", struct.Struct("<6i")
SCALE = 1 << 10
"""The integer that stands for 1 in the file."""
MAX_PARAMETER = 32767 / SCALE
"""The largest number that fits in 16 bits."""
INPUT_AXES = {"weights": 0, "places": 1, "forced": 1, "head": 2, "last": 0}
"""The axes of arrays along which their inputs are."""

Array = NDArray[np.float32]


class NetShape(NamedTuple):
    """The sizes of a network: units in each layer of the encoder, lanes of a row, units of the head."""

    encoder: tuple[int, ...] = (64, 32)
    lanes: int = 32
    units: int = 16

    @classmethod
    def parse(cls, text: str) -> NetShape:
        """Read a shape such as ``128-128-32:64:16``; raises ValueError."""
        parts = text.split(":")
        if len(parts) != 3:
            raise ValueError(f"expected ENCODER:LANES:UNITS such as 128-128-32:64:16, got {text}")
        return cls(tuple(map(int, parts[0].split("-"))), int(parts[1]), int(parts[2]))

    def __str__(self) -> str:
        return f"{'-'.join(map(str, self.encoder))}:{self.lanes}:{self.units}"

    def sizes(self, cells: int, blocks: int) -> dict[str, tuple[int, ...]]:
        """Return the shape of every array, in the order of the file."""
        found: dict[str, tuple[int, ...]] = {}
        for layer, (inputs, outputs) in enumerate(pairwise((2 * cells, *self.encoder))):
            found[f"weights{layer}"] = (inputs, outputs)
            found[f"bias{layer}"] = (outputs,)
        code = self.encoder[-1]
        return found | {
            "places": (blocks, code, self.lanes),
            "forced": (2, code, self.lanes),
            "decided": (blocks, 3, self.lanes),
            "sent": (2, 2, blocks + 1, self.lanes),
            "head": (self.units, 2, self.lanes),
            "head_bias": (self.units,),
            "last": (self.units,),
            "last_bias": (1,),
        }


@dataclass
class Parameters:
    """All parameters as floating-point arrays; ``spread`` is the score whose chance of a win is sigmoid(1)."""

    shape: NetShape
    cells: int
    blocks: int
    spread: float
    arrays: dict[str, Array]

    @classmethod
    def random(cls, shape: NetShape, cells: int, blocks: int, spread: float, random: np.random.Generator) -> Parameters:
        """Return parameters to start training from."""
        sizes = shape.sizes(cells, blocks)
        arrays = {name: random.normal(0, 0.1, size).astype(np.float32) for name, size in sizes.items()}
        arrays["sent"] += np.float32(0.3)
        for layer in range(len(shape.encoder)):
            limit = 1 / math.sqrt(len(arrays[f"weights{layer}"]))
            for name in (f"weights{layer}", f"bias{layer}"):
                arrays[name] = random.uniform(-limit, limit, sizes[name]).astype(np.float32)
        for names, inputs in ((("head", "head_bias"), 2 * shape.lanes), (("last", "last_bias"), shape.units)):
            limit = 1 / math.sqrt(inputs)
            for name in names:
                arrays[name] = random.uniform(-limit, limit, sizes[name]).astype(np.float32)
        return cls(shape, cells, blocks, spread, arrays)

    @classmethod
    def read(cls, data: bytes) -> Parameters:
        """Return the parameters of a file; raises ValueError."""
        if data[:4] != MAGIC:
            raise ValueError("expected a network of a game with blocks")
        cells, blocks, spread, lanes, units, layers = HEADER.unpack_from(data, 4)
        start = 4 + HEADER.size
        shape = NetShape(struct.unpack_from(f"<{layers}i", data, start), lanes, units)
        numbers = np.frombuffer(data, "<i2", offset=start + 4 * layers).astype(np.float32) / np.float32(SCALE)
        sizes = shape.sizes(cells, blocks)
        ends = np.cumsum([math.prod(size) for size in sizes.values()])
        if ends[-1] != len(numbers):
            raise ValueError(f"expected {ends[-1]} parameters, got {len(numbers)}")
        parts = np.split(numbers, ends[:-1])
        arrays = {name: part.reshape(size) for (name, size), part in zip(sizes.items(), parts, strict=True)}
        return cls(shape, cells, blocks, spread, arrays)

    def to_bytes(self) -> bytes:
        """Return the file: the parameters rounded to 16-bit integers."""
        encoder = self.shape.encoder
        header = HEADER.pack(
            self.cells, self.blocks, round(self.spread), self.shape.lanes, self.shape.units, len(encoder)
        )
        numbers = np.concatenate([self.arrays[name].ravel() for name in self.shape.sizes(self.cells, self.blocks)])
        if np.abs(numbers).max() > MAX_PARAMETER:
            raise ValueError(f"expected parameters of at most {MAX_PARAMETER:.2f}, got {np.abs(numbers).max():.2f}")
        integers = np.rint(numbers.astype(np.float64) * SCALE).astype("<i2")
        return MAGIC + header + struct.pack(f"<{len(encoder)}i", *encoder) + integers.tobytes()

    def widen(self, shape: NetShape, random: np.random.Generator) -> Parameters:
        """Return parameters of a larger shape that compute the same: what is new is random, but nothing depends on it.

        New layers of the encoder come before the last one and copy its inputs. Raises ValueError for a smaller shape.
        """
        old = self
        while len(old.shape.encoder) < len(shape.encoder):
            old = old._with_copying_layer()
        sizes = old.shape.sizes(self.cells, self.blocks)
        new = Parameters.random(shape, self.cells, self.blocks, self.spread, random)
        for name, size in shape.sizes(self.cells, self.blocks).items():
            if name not in sizes or any(more < less for more, less in zip(size, sizes[name], strict=True)):
                raise ValueError(f"expected a shape at least as large as {self.shape}, got {shape}")
            known = tuple(slice(less) for less in sizes[name])
            axis = INPUT_AXES.get(name.rstrip("0123456789"))
            if axis is not None:
                np.moveaxis(new.arrays[name], axis, 0)[sizes[name][axis] :] = 0
            new.arrays[name][known] = old.arrays[name]
        return new

    def _with_copying_layer(self) -> Parameters:
        """Return parameters with a layer before the last of the encoder, whose outputs are its inputs."""
        encoder, arrays = self.shape.encoder, dict(self.arrays)
        last = len(encoder) - 1
        width = len(arrays[f"weights{last}"])
        arrays[f"weights{last + 1}"], arrays[f"bias{last + 1}"] = arrays[f"weights{last}"], arrays[f"bias{last}"]
        arrays[f"weights{last}"], arrays[f"bias{last}"] = np.eye(width, dtype=np.float32), np.zeros(width, np.float32)
        shape = self.shape._replace(encoder=(*encoder[:last], width, encoder[last]))
        return Parameters(shape, self.cells, self.blocks, self.spread, arrays)
