// A position as planes of bytes, one byte for each cell, from the view of the side to move.
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

// Writes the plane PLAYABLE; `out` must have one byte for each cell.
void write_legal_mask(const Position& position, std::span<std::uint8_t> out);

}  // namespace noughts
