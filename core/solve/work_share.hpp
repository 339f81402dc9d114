// The share of a solve that is done.
#pragma once

namespace noughts {

// An estimate, and the range in which the truth was in four of five cases, over the complete solves it was fitted to.
// Unknown as long as there is nothing to tell from.
struct WorkShare {
    double estimate = 0, low = 0, high = 0;

    bool is_known() const { return high > 0; }
    // Of `left` nodes that are left, by an estimate that may be wrong by a factor of `error`.
    static WorkShare of(double done, double left, double error) {
        return {done / (done + left), done / (done + left * error), done / (done + left / error)};
    }
};

}  // namespace noughts
