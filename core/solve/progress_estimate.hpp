// Estimates of how much of a solve is done.
#pragma once

#include <cstdint>

namespace noughts {

// The share of the work that is done, from 0 to 1, and a range that contained the true share in four of five cases,
// over the complete solves to which the estimate was fitted. All 0 if nothing is known yet.
struct ProgressEstimate {
    double estimate = 0, low = 0, high = 0;

    bool is_known() const { return high > 0; }
    // The share when `done` nodes are done and about `left` are left, where `left` may be wrong by a factor of `error`.
    static ProgressEstimate of(double done, double left, double error) {
        return {done / (done + left), done / (done + left * error), done / (done + left / error)};
    }

    double odds() const { return odds_of(estimate); }  // of work done to work left
    // The estimate with all odds multiplied by `factor`.
    ProgressEstimate scaled(double factor) const {
        const auto scale = [&](double share) { return odds_of(share) * factor / (1 + odds_of(share) * factor); };
        return {scale(estimate), scale(low), scale(high)};
    }

  private:
    static double odds_of(double share) { return share / (1 - share); }
};

// Smooths estimates for display. They depend on the path of the search, which jumps; so the displayed odds rise at
// once, but fall no faster than the number of nodes grows.
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
    // Estimates that come before the number of nodes has grown by this factor are ignored. Since the odds rise at once,
    // the luckiest of many estimates would be shown otherwise.
    static constexpr double LEAST_GROWTH = 1.01;

    ProgressEstimate shown_;
    std::uint64_t nodes_ = 0;
};

}  // namespace noughts
