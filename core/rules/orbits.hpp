// Moves that symmetries of a position carry into each other: what holds for one of them holds for all.
#pragma once

#include <vector>

#include "rules/symmetry.hpp"

namespace noughts {

struct Orbit {
    int move;                                // the least of its moves
    std::vector<const Permutation*> images;  // one for each other move, in ascending order of where it takes `move`
};

// Whether a symmetry of the game takes the position to itself: marks, owners of blocks and the block to play.
bool keeps_position(const Position& position, const Symmetry& symmetry, std::size_t element);

// The orbits of the legal moves, in ascending order of their moves. They refer to elements of the symmetry; without one
// every move is alone.
std::vector<Orbit> move_orbits(const Position& position, const Symmetry* symmetry);

}  // namespace noughts
