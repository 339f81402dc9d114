#include "solve/proof_estimate.hpp"

#include <cmath>

#include "check.hpp"

using namespace noughts;
using namespace noughts::testing;

namespace {

constexpr ProofNumbers FIRST{20, 400};

// The attacker has 10 moves, and the reply to the first of them is being searched.
ProofState state(int refuted_moves, int refuted_replies, ProofNumbers now = FIRST, bool is_other_open = false) {
    return {FIRST, now, {{true, 10, refuted_moves}, {false, 20, refuted_replies}}, is_other_open};
}

double estimate_of(const ProofState& state) { return ProofEstimate().update(state, 1000).estimate; }

}  // namespace

TEST("share of a proof-number search grows with refuted moves, refuted replies and the balance of its numbers") {
    const double start = estimate_of(state(0, 0));
    CHECK(estimate_of(state(5, 0)) > start);
    CHECK(estimate_of(state(0, 10)) > start);
    CHECK(estimate_of(state(0, 0, {200, 100})) > start);
    CHECK(estimate_of(state(0, 0, {5, 4000})) > start);
    CHECK(estimate_of(state(5, 0, FIRST, true)) < estimate_of(state(5, 0)));
}

TEST("share of a proof-number search is unknown without a line and within its range afterwards") {
    ProofEstimate estimate;
    CHECK(!estimate.update({FIRST, FIRST, {}, false}, 1000).is_known());
    const WorkShare share = estimate.update(state(9, 19, {2000, 3}), 2000);
    CHECK(0 < share.low && share.low < share.estimate && share.estimate < share.high && share.high < 1);
    CHECK_EQUAL(estimate.update({FIRST, FIRST, {}, false}, 4000).estimate, share.estimate);
}

TEST("share of a proof-number search falls no faster than the nodes grow") {
    ProofEstimate estimate;
    const double before = estimate.update(state(9, 0), 1000).estimate;
    const double after = estimate.update(state(0, 0), 2000).estimate;
    CHECK(after < before);
    CHECK(std::abs(after / (1 - after) - before / (1 - before) / 2) < 1e-9);
}
