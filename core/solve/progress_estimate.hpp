// The share of a solve that is done.
#pragma once

#include <cstdint>

namespace noughts {

// An estimate, and the range in which the truth was in four of five cases, over the complete solves it was fitted to.
// Unknown as long as there is nothing to tell from.
struct ProgressEstimate {
    double estimate = 0, low = 0, high = 0;

    bool is_known() const { return high > 0; }
    // Of `left` nodes that are left, by an estimate that may be wrong by a factor of `error`.
    static ProgressEstimate of(double done, double left, double error) {
        return {done / (done + left), done / (done + left * error), done / (done + left / error)};
    }

    double odds() const { return odds_of(estimate); }  // of work done to work left
    // With all odds multiplied by a factor.
    ProgressEstimate scaled(double factor) const {
        const auto scale = [&](double share) { return odds_of(share) * factor / (1 + odds_of(share) * factor); };
        return {scale(estimate), scale(low), scale(high)};
    }

  private:
    static double odds_of(double share) { return share / (1 - share); }
};

// The share to show. Estimates look at the line that is being searched, which jumps; so the odds rise at once, but fall
// no faster than the nodes grow.
class SteadyEstimate {
  public:
    ProgressEstimate update(const ProgressEstimate& found, std::uint64_t nodes) {
        const double growth =
            shown_.is_known() ? static_cast<double>(nodes) / static_cast<double>(nodes_) : LEAST_GROWTH;
        if (!found.is_known() || growth < LEAST_GROWTH) return shown_;
        const double least = shown_.is_known() ? shown_.odds() / growth : 0;
        shown_ = found.odds() < least ? found.scaled(least / found.odds()) : found;
        nodes_ = nodes;
        return shown_;
    }

  private:
    static constexpr double LEAST_GROWTH = 1.01;  // between two looks, else the best of many would count

    ProgressEstimate shown_;
    std::uint64_t nodes_ = 0;
};

}  // namespace noughts
