// Estimates the share of a proof-number search that is done.
#pragma once

#include <cstdint>
#include <vector>

#include "solve/progress_estimate.hpp"
#include "solve/proof_number/proof_table.hpp"

namespace noughts {

// The moves of a node on the path that is being searched, and those shown to be useless.
struct SearchedMoves {
    bool attacking;
    int moves, refuted;
};

// What a search tells about the question that it works on.
struct ProofState {
    ProofNumbers first, now;          // of the position, when the search began and now
    std::vector<SearchedMoves> path;  // from the position to where the search is
    bool is_other_question_open;      // which may have to be answered, too
    std::uint64_t nodes;              // searched so far
};

// A disproof refutes every move of the attacker, a proof every reply of the opponent. So four things tell how far a
// search has come: the share of the attacker's moves that are refuted, the share of the replies that are refuted along
// the path, how far the balance of the two numbers has moved from the first one, in either direction, and the nodes
// searched, compared with the larger number. The odds of work done to work left are fitted to complete solves, see
// bench/measure/share.py.
ProgressEstimate estimate_progress(const ProofState& state);

}  // namespace noughts
