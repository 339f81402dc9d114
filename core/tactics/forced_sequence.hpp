// Forced sequences of certificates, replayed by the rules of docs/proof-format.md.
#pragma once

#include <vector>

#include "rules/position.hpp"

namespace noughts {

// Returns how many of these moves of the prover win by force, each leaving the opponent one reply; 0 if they do not
// win. With `may_complete_early`, the prover completes a line as soon as it can. The prover must be to move, in a game
// with direct threats.
std::size_t count_forced(Position& position, const std::vector<Cell>& attacks, bool may_complete_early);

// Whether the opponent, who is to move, loses after `reply` to these moves of the prover. An empty list stands for
// completing a line at once.
bool wins_after(Position& position, int reply, const std::vector<Cell>& attacks);

}  // namespace noughts
