// Forced sequences of certificates, replayed by the rules of docs/proofs.md.
#pragma once

#include <vector>

#include "rules/position.hpp"

namespace noughts {

// The number of the prover's moves that win, each forcing one reply; 0 when they do not. With `may_complete_early`, the
// prover completes a line on the way when it can. The prover must be to move, in a game with direct threats.
std::size_t count_forced(Position& position, const std::vector<Cell>& attacks, bool may_complete_early);

// Whether the opponent, who is to move, loses to the prover's moves after this reply; no moves mean a line that the
// prover completes at once.
bool wins_after(Position& position, int reply, const std::vector<Cell>& attacks);

}  // namespace noughts
