#include "support/work_limit.hpp"

#include <thread>

#include "check.hpp"

using namespace noughts;
using namespace noughts::testing;

namespace {

// Counts nodes until the limit ends the work, but stops after a while in any case. Returns the number of nodes.
std::uint64_t work(WorkLimit& limit) {
    const std::uint64_t before = limit.nodes();
    while (!limit.must_end() && limit.nodes() < before + 100'000'000) limit.count_node();
    return limit.nodes() - before;
}

}  // namespace

TEST("work ends at a number of nodes, and for good") {
    WorkLimit limit({.nodes = 1000});
    CHECK_EQUAL(work(limit), 1000u);
    CHECK(limit.is_spent());
    limit.set_share(50);
    CHECK_EQUAL(work(limit), 0u);
}

TEST("nodes of a helper in another thread count, and it can finish the work for its leader") {
    WorkLimit leader({.nodes = 1'000'000});
    WorkLimit helper(leader);
    for (int i = 0; i < 1000; ++i) helper.count_node();
    helper.poll();
    CHECK_EQUAL(leader.nodes(), 1000u);
    helper.finish();
    CHECK(leader.poll());
    CHECK(!leader.is_spent());
    CHECK(helper.poll());
    leader.set_share(WorkLimit::UNLIMITED);
    CHECK(!leader.poll());
}

TEST("a share of work ends in a pause, after which the next share begins") {
    WorkLimit limit({.nodes = 1000});
    for (std::uint64_t share : {1, 300, 150}) {
        limit.set_share(share);
        CHECK_EQUAL(work(limit), share);
        CHECK(limit.is_ended());
        CHECK(!limit.is_spent());
    }
    limit.set_share(WorkLimit::UNLIMITED);
    CHECK(!limit.is_ended());
    CHECK_EQUAL(work(limit), 549u);
    CHECK(limit.is_spent());
}

TEST("work ends after a time, when interrupted, when a report says so and when stopped by another thread") {
    WorkLimit timed({.seconds = 0.02});
    work(timed);
    CHECK(timed.is_spent());
    CHECK(timed.seconds() >= 0.02);

    WorkLimit interrupted({}, [calls = 0]() mutable { return ++calls == 3; });
    work(interrupted);
    CHECK(interrupted.is_spent());

    std::uint64_t reported = 0;
    WorkLimit reporting({}, {}, [&](const WorkLimit& limit) {
        reported = limit.nodes();
        return false;
    });
    while (!reporting.must_end()) reporting.count_node();
    CHECK(reported > 0);

    std::atomic<bool> stop{false};
    WorkLimit stopped({}, {}, {}, &stop);
    std::thread stopper([&] { stop.store(true); });
    while (!stopped.must_end()) stopped.count_node();
    stopper.join();
    CHECK(stopped.is_spent());
}

TEST("the clock is looked at after every node where nodes take long") {
    WorkLimit limit({.seconds = 0.02});
    while (!limit.must_end()) {
        limit.count_node();
        std::this_thread::sleep_for(std::chrono::milliseconds(4));
    }
    CHECK(limit.nodes() <= 6);
}

TEST("moves of chains of threats count as nodes unless the limits leave them out") {
    WorkLimit all({.nodes = 10}), few({.nodes = 10, .count_chains = false});
    for (WorkLimit* limit : {&all, &few}) limit->count_chain(12);
    CHECK(all.must_end() && !few.must_end());
    CHECK_EQUAL(few.nodes(), std::uint64_t{0});
}
