#include "search/pruning.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>

#include "tactics/threats.hpp"

namespace noughts {
namespace {

// Tuned on Ultimate without and with its network.
constexpr PruningMargins WITH_WEIGHTS{100, 6, 0, 0}, WITH_NETWORK{200, 0, 5, 600};

constexpr std::int64_t ONE = 1 << 16;

// The natural logarithm in units of 1/65536, by repeated squaring. Only integers, so that all machines agree.
constexpr std::int64_t scaled_log(std::uint64_t n) {
    int whole = 0;
    while (n >> whole > 1) ++whole;
    std::uint64_t rest = (n << 31) >> whole;  // 1 to 2, in units of 2^-31
    std::int64_t binary = whole;
    for (int bit = 0; bit < 16; ++bit) {
        rest = (rest * rest) >> 31;
        binary = binary * 2 + static_cast<std::int64_t>(rest >> 32);
        if (rest >> 32) rest >>= 1;
    }
    return binary * 45426 / ONE;  // ln 2
}

// Reductions by depth and by the number of moves tried before.
constexpr int REDUCTION_SIZE = 64;
using Reductions = std::array<std::array<std::int8_t, REDUCTION_SIZE>, REDUCTION_SIZE>;
constexpr Reductions reductions(int tenths) {
    std::array<std::int64_t, REDUCTION_SIZE> logs{};
    for (int n = 1; n < REDUCTION_SIZE; ++n) logs[n] = scaled_log(n);
    Reductions table{};
    for (int depth = 1; depth < REDUCTION_SIZE; ++depth)
        for (int late = 1; late < REDUCTION_SIZE; ++late)
            table[depth][late] = static_cast<std::int8_t>((ONE + logs[depth] * logs[late] / ONE * tenths / 22) / ONE);
    return table;
}
constexpr Reductions REDUCTIONS = reductions(10), LARGE_BOARD_REDUCTIONS = reductions(13);

}  // namespace

Pruning::Pruning(const Game& game, bool has_network)
    : margins_(has_network && !game.has_one_block() ? WITH_NETWORK : WITH_WEIGHTS),
      large_(is_large(game)),
      direct_threats_(has_direct_threats(game)) {}

int Pruning::logarithmic_reduction(int late, int depth, bool is_pv) const {
    const Reductions& table = large_ ? LARGE_BOARD_REDUCTIONS : REDUCTIONS;
    const int plies = table[std::min(depth, REDUCTION_SIZE - 1)][std::min(late, REDUCTION_SIZE - 1)] - (is_pv ? 1 : 0);
    return std::clamp(plies, 0, depth - 1);
}

bool Pruning::cuts_by_estimate(int alpha, int beta, int depth, const NodeFacts& facts) const {
    if (!facts.may_prune() || facts.is_pv) return false;
    // An estimate below alpha counts only after the search for a forced win has failed, which needs direct threats.
    if (large_ && direct_threats_ && depth <= 3 && !is_decided(alpha) && facts.estimate + 150 * depth <= alpha)
        return true;
    const int margin = large_ ? 35 : 120, deepest = large_ ? 6 : 4;
    return depth <= deepest && !is_decided(beta) && std::abs(beta) < BELIEVED &&
           facts.estimate - margin * depth >= beta;
}

bool Pruning::tries_shallow_search(int beta, int depth, const NodeFacts& facts) const {
    if (margins_.shallow_depth == 0 || depth < margins_.shallow_depth) return false;
    return !facts.is_pv && facts.may_prune() && std::abs(beta) < MOST_ESTIMATED;
}

}  // namespace noughts
