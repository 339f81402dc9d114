// Small games built in C++, so that the tests need no Python, and random playthroughs.
#pragma once

#include <memory>
#include <random>

#include "rules/position.hpp"

namespace noughts::testing {

// width x height with k in a row. `exact` puts guards at both ends of each line; with `gravity`, marks fall to the last
// row.
GameData board(int width, int height, int k, bool exact = false, bool gravity = false);
// The n x n x n cube.
GameData cube(int n);
// n x n blocks of n x n cells.
GameData ultimate(int n);

std::shared_ptr<const Game> make(GameData data);

// Plays random moves until `free` cells are left; returns false if the game ends before that.
bool play_randomly(Position& position, int free, std::mt19937& random);

}  // namespace noughts::testing
