// Random positions, and their values by brute force.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <tuple>
#include <vector>

#include "rules/position.hpp"

namespace noughts::testing {

std::vector<int> legal_moves(const Position& position);

// Plays random moves until at most `free` cells are free. Starts again if the game ends before that; after many
// attempts it returns a position that is over.
Position random_ending(const std::shared_ptr<const Game>& game, int free, std::mt19937& random);

// The value for the side to move, -1, 0 or 1, found by trying every move to the end of the game.
int brute_force_value(Position& position);

// Brute force: whether a side completes a line within some plies, against every reply. For positions of one game.
class BruteForceWins {
  public:
    bool within(Position& position, Side attacker, int plies);
    // For the side to move, with any move, and with a given one, which is the first of the plies.
    bool within(Position& position, int plies) { return within(position, position.turn(), plies); }
    bool with_move(Position& position, Cell cell, int plies);

  private:
    std::map<std::tuple<std::uint64_t, Side, int>, bool> known_;
};

}  // namespace noughts::testing
