// Random positions, and their values by brute force.
#pragma once

#include <memory>
#include <random>
#include <vector>

#include "rules/position.hpp"

namespace noughts::testing {

std::vector<int> legal_moves(const Position& position);

// Plays random moves until at most `free` cells are free. Starts again if the game ends before that; after many
// attempts it returns a position that is over.
Position random_ending(const std::shared_ptr<const Game>& game, int free, std::mt19937& random);

// The value for the side to move, -1, 0 or 1, found by trying every move to the end of the game.
int brute_force_value(Position& position);

}  // namespace noughts::testing
