// A position as planes of bytes or bits, one for each cell, from the view of the side to move.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "rules/position.hpp"

namespace noughts {

// "Own" is the side to move or, if the game is over, the side that would be next. So swapping the sides changes
// nothing.
enum Plane {
    OWN_MARKS,
    OPPONENT_MARKS,
    PLAYABLE,   // the legal moves; empty if the game is over
    LAST_MOVE,  // the cell of the last move; empty in a position that was set up
    FLAT_PLANES,
    // Only in games of several blocks. All cells of a block have the value of the block.
    BLOCK_TO_PLAY = FLAT_PLANES,  // empty if any open block may be played in
    OWN_BLOCKS,
    OPPONENT_BLOCKS,
    BLOCK_PLANES
};

inline int planes_of(const Game& game) { return game.has_one_block() ? FLAT_PLANES : BLOCK_PLANES; }
inline std::size_t plane_bytes(const Game& game) {
    return static_cast<std::size_t>(planes_of(game)) * static_cast<std::size_t>(game.cells());
}

// Writes all planes, one after the other; `out` must have plane_bytes(game) bytes.
void write_planes(const Position& position, std::span<std::uint8_t> out);

// What is written of a position: nothing, a byte for each cell of each plane, or a bit. Each plane of bits begins at a
// byte, and the lowest bit of a byte is the first of its cells.
enum class ObservationKind : std::uint8_t { NONE, PLANES, BITS };

inline std::size_t bytes_of_bit_plane(const Game& game) { return (static_cast<std::size_t>(game.cells()) + 7) / 8; }
inline std::size_t observation_bytes(const Game& game, ObservationKind kind) {
    if (kind == ObservationKind::NONE) return 0;
    return kind == ObservationKind::PLANES ? plane_bytes(game)
                                           : static_cast<std::size_t>(planes_of(game)) * bytes_of_bit_plane(game);
}

// Writes an observation; `out` must have observation_bytes(game, kind) bytes.
void write_observation(const Position& position, ObservationKind kind, std::span<std::uint8_t> out);

// Writes the plane PLAYABLE; `out` must have one byte for each cell.
void write_legal_mask(const Position& position, std::span<std::uint8_t> out);

}  // namespace noughts
