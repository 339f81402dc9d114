// Orbits of moves: classes of moves that the symmetries of a position map to each other.
#pragma once

#include <vector>

#include "rules/symmetry.hpp"

namespace noughts {

struct Orbit {
    Cell move;  // the least move of the orbit
    // Symmetries that map `move` to each other move, in ascending order of these moves.
    std::vector<const Permutation*> images;
};

// Whether a symmetry of the game maps the position to itself: marks, owners of blocks and the block to play.
bool fixes_position(const Position& position, const Symmetry& symmetry, std::size_t element);

// The orbits of the legal moves, in ascending order of their least moves. They refer to elements of the symmetry. If
// `symmetry` is null, each orbit has one move.
std::vector<Orbit> move_orbits(const Position& position, const Symmetry* symmetry);

}  // namespace noughts
