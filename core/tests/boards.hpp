// Small games built by plain loops, so that the C++ tests need no Python.
#pragma once

#include <memory>

#include "rules/game.hpp"

namespace noughts::testing {

// width x height, k in a row; guards at both ends when `exact`, marks fall to the last row when `gravity`.
GameData board(int width, int height, int k, bool exact = false, bool gravity = false);
// The n x n x n cube.
GameData cube(int n);
// n x n blocks of n x n cells.
GameData ultimate(int n);

std::shared_ptr<const Game> make(GameData data);

}  // namespace noughts::testing
