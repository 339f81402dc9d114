// A position as planes of bytes, one byte per cell, as the side to move sees it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "rules/position.hpp"

namespace noughts {

// "Own" is the side to move; when the game is over, the side that would move. So exchanging the sides changes nothing.
enum Plane {
    OWN_MARKS,
    OPPONENT_MARKS,
    PLAYABLE,   // the legal moves; none when the game is over
    LAST_MOVE,  // the cell of the last move; empty in a position that was set up
    FLAT_PLANES,
    // Only in games of several blocks. Each plane has the value of a block on all cells of the block.
    BLOCK_TO_PLAY = FLAT_PLANES,  // empty when any open block may be played in
    OWN_BLOCKS,
    OPPONENT_BLOCKS,
    BLOCK_PLANES
};

inline int planes_of(const Game& game) { return game.has_one_block() ? FLAT_PLANES : BLOCK_PLANES; }
inline std::size_t plane_bytes(const Game& game) {
    return static_cast<std::size_t>(planes_of(game)) * static_cast<std::size_t>(game.cells());
}

// Writes all planes, one after the other; `out` holds plane_bytes(game) bytes.
void write_planes(const Position& position, std::span<std::uint8_t> out);

// Writes the plane PLAYABLE; `out` holds a byte for each cell.
void write_legal_mask(const Position& position, std::span<std::uint8_t> out);

}  // namespace noughts
