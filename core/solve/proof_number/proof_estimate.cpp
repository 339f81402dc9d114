#include "solve/proof_number/proof_estimate.hpp"

#include <algorithm>
#include <cmath>

namespace noughts {
namespace {

constexpr double BASE = -2.35, PER_REFUTED = 2.54, PER_REPLIES = 2.16, PER_BALANCE = 0.57, PER_NODES = 0.35,
                 BOTH_OPEN = -0.83;
constexpr double ODDS_ERROR = 5.0;
constexpr std::size_t LEAST_LINE = 2;

// The share of the attacker's moves that are refuted, at the first node on the path where it is to move.
double refuted_share(const std::vector<SearchedMoves>& path) {
    const SearchedMoves& first = path[path[0].attacking ? 0 : 1];
    return static_cast<double>(first.refuted) / first.moves;
}

// The share of the replies along the path that are refuted, on the assumption that all replies take the same work.
double replies_share(const std::vector<SearchedMoves>& path) {
    double share = 0;
    for (std::size_t i = path.size(); i-- > 0;)
        if (!path[i].attacking) share = (path[i].refuted + share) / path[i].moves;
    return share;
}

double balance(const ProofNumbers& numbers) {
    return std::log(static_cast<double>(numbers.proof) / static_cast<double>(numbers.disproof));
}

double log_odds(const ProofState& state) {
    const double moved = std::abs(balance(state.now) - balance(state.first));
    const double number = std::max(state.now.proof, state.now.disproof);
    return BASE + PER_REFUTED * std::sqrt(refuted_share(state.path)) + PER_REPLIES * replies_share(state.path) +
           PER_BALANCE * std::sqrt(moved) + PER_NODES * std::log(static_cast<double>(state.nodes) / number) +
           (state.is_other_question_open ? BOTH_OPEN : 0);
}

}  // namespace

ProgressEstimate estimate_progress(const ProofState& state) {
    if (state.path.size() < LEAST_LINE || state.now.is_solved() || state.nodes == 0) return {};
    return ProgressEstimate::of(std::exp(log_odds(state)), 1, ODDS_ERROR);
}

}  // namespace noughts
