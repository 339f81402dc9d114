// Estimates the progress of a proof-number search.
#pragma once

#include <cstdint>
#include <vector>

#include "solve/progress_estimate.hpp"
#include "solve/proof_number/proof_table.hpp"

namespace noughts {

// A node on the current path: its number of moves, and how many of them are refuted.
struct SearchedMoves {
    bool attacking;
    int moves, refuted;
};

// The state of a search, as far as the estimate depends on it.
struct ProofState {
    ProofNumbers first, now;          // of the position, when the search began and now
    std::vector<SearchedMoves> path;  // from the root to the current node
    bool is_other_question_open;      // whether the opposite question may have to be answered too
    std::uint64_t nodes;              // searched so far
};

// A disproof refutes every move of the attacker, a proof every reply of the opponent. So the progress is estimated from
// four features: the share of the attacker's moves that are refuted, the share of replies along the path that are
// refuted, how far the ratio of the two numbers has moved from the first one in either direction, and the nodes
// searched, relative to the larger number. The odds of work done to work left are a log-linear fit to complete solves,
// see bench/measure/share.py.
ProgressEstimate estimate_progress(const ProofState& state);

}  // namespace noughts
