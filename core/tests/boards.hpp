// Small games built in C++, so that the tests need no Python, and positions after given or random moves.
#pragma once

#include <memory>
#include <random>
#include <vector>

#include "rules/position.hpp"

namespace noughts::testing {

// width x height with k in a row. `exact` puts guards at both ends of each line; with `gravity`, marks fall to the last
// row.
GameData board(int width, int height, int k, bool exact = false, bool gravity = false);
// The same on a board whose edges are joined.
GameData wrapped(int width, int height, int k, bool exact = false);
// The n x n x n cube.
GameData cube(int n);
// n x n blocks of n x n cells.
GameData ultimate(int n);

struct Variant {
    bool misere = false, counts_blocks = false, keeps_won_blocks_open = false;
};
GameData with(GameData data, Variant variant);
std::vector<GameData> ultimate_variants(int n);  // all of them

std::shared_ptr<const Game> make(GameData data);

Position played(const std::shared_ptr<const Game>& game, const std::vector<Cell>& moves);
Cell random_move(const Position& position, std::mt19937& random);
// Plays a random move, or takes some moves back.
void step_randomly(Position& position, std::mt19937& random);
// Plays random moves until `free` cells are left; returns false if the game ends before that.
bool play_randomly(Position& position, int free, std::mt19937& random);

}  // namespace noughts::testing
