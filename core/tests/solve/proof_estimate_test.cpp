#include "solve/proof_number/proof_estimate.hpp"

#include <cmath>

#include "check.hpp"

using namespace noughts;
using namespace noughts::testing;

namespace {

constexpr ProofNumbers FIRST{20, 400};

// The attacker has 10 moves, and the reply to the first of them is being searched.
ProofState state(int refuted_moves, int refuted_replies, ProofNumbers now = FIRST, bool is_other_open = false,
                 std::uint64_t nodes = 1000) {
    return {FIRST, now, {{true, 10, refuted_moves}, {false, 20, refuted_replies}}, is_other_open, nodes};
}

double estimate_of(const ProofState& state) { return estimate_progress(state).estimate; }

}  // namespace

TEST(
    "share of a proof-number search grows with refuted moves, refuted replies, the balance of its numbers and its "
    "nodes") {
    const double start = estimate_of(state(0, 0));
    CHECK(estimate_of(state(5, 0)) > start);
    CHECK(estimate_of(state(0, 10)) > start);
    CHECK(estimate_of(state(0, 0, {200, 100})) > start);
    CHECK(estimate_of(state(0, 0, {5, 4000})) > start);
    CHECK(estimate_of(state(0, 0, FIRST, false, 100'000)) > start);
    CHECK(estimate_of(state(5, 0, FIRST, true)) < estimate_of(state(5, 0)));
}

TEST("share of a proof-number search is unknown without a path, else within its range") {
    CHECK(!estimate_progress({FIRST, FIRST, {}, false, 1000}).is_known());
    CHECK(!estimate_progress(state(0, 0, PROVED)).is_known());
    const ProgressEstimate share = estimate_progress(state(9, 19, {2000, 3}));
    CHECK(0 < share.low && share.low < share.estimate && share.estimate < share.high && share.high < 1);
}

TEST("steady share rises at once and falls no faster than the nodes grow") {
    SteadyEstimate steady;
    CHECK(!steady.update({}, 100).is_known());
    CHECK_EQUAL(steady.update(ProgressEstimate::of(1, 9, 2), 1000).estimate, 0.1);
    CHECK_EQUAL(steady.update(ProgressEstimate::of(9, 1, 2), 1001).estimate, 0.1);  // too soon for another update
    CHECK_EQUAL(steady.update(ProgressEstimate::of(9, 1, 2), 2000).estimate, 0.9);
    CHECK_EQUAL(steady.update({}, 3000).estimate, 0.9);
    const ProgressEstimate fallen = steady.update(ProgressEstimate::of(1, 9, 2), 4000);
    CHECK(std::abs(fallen.odds() - 4.5) < 1e-9);
    CHECK(std::abs(fallen.low - 4.5 / 6.5) < 1e-9);
    CHECK_EQUAL(steady.update(ProgressEstimate::of(1, 1, 2), 40000).estimate, 0.5);
}
