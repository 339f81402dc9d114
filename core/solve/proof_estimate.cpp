#include "solve/proof_estimate.hpp"

#include <algorithm>
#include <cmath>

namespace noughts {
namespace {

constexpr double BASE = -1.5, PER_REFUTED = 3.1, PER_REPLIES = 2.6, PER_BALANCE = 0.74, BOTH_OPEN = -1.6;
constexpr double ODDS_ERROR = 5.5;
constexpr double LEAST_GROWTH = 1.01;  // of the nodes between two looks, else the best of many would count
constexpr std::size_t LEAST_LINE = 2;

// The share of the attacker's moves that are refuted, at its first node.
double refuted_share(const std::vector<SearchedMoves>& line) {
    const SearchedMoves& first = line[line[0].attacking ? 0 : 1];
    return static_cast<double>(first.refuted) / first.moves;
}

// The share of the replies along the line that are refuted, as if all took the same work.
double replies_share(const std::vector<SearchedMoves>& line) {
    double share = 0;
    for (std::size_t i = line.size(); i-- > 0;)
        if (!line[i].attacking) share = (line[i].refuted + share) / line[i].moves;
    return share;
}

double balance(const ProofNumbers& numbers) {
    return std::log(static_cast<double>(numbers.proof) / static_cast<double>(numbers.disproof));
}

double log_odds(const ProofState& state) {
    const double moved = std::abs(balance(state.now) - balance(state.first));
    return BASE + PER_REFUTED * std::sqrt(refuted_share(state.line)) + PER_REPLIES * replies_share(state.line) +
           PER_BALANCE * std::sqrt(moved) + (state.is_other_question_open ? BOTH_OPEN : 0);
}

}  // namespace

WorkShare ProofEstimate::update(const ProofState& state, std::uint64_t nodes) {
    const bool can_tell = state.line.size() >= LEAST_LINE && !state.now.is_solved();
    if (can_tell && static_cast<double>(nodes) > LEAST_GROWTH * static_cast<double>(nodes_)) {
        const double growth = static_cast<double>(nodes) / static_cast<double>(std::max<std::uint64_t>(1, nodes_));
        odds_ = std::max(odds_ / growth, std::exp(log_odds(state)));
        nodes_ = nodes;
    }
    return odds_ > 0 ? WorkShare::of(odds_, 1, ODDS_ERROR) : WorkShare{};
}

}  // namespace noughts
