#include "search/time_manager.hpp"

#include "check.hpp"

using namespace noughts;
using namespace noughts::testing;

namespace {

// The time at which a search ends if each depth takes twice as long as the last, with these best moves and scores at
// successive depths.
double end_of_search(TimeManager time_manager, std::initializer_list<Cell> moves, std::initializer_list<int> scores) {
    double seconds = 0.001;
    for (int depth = 0;; ++depth, seconds *= 2) {
        const Cell best = std::data(moves)[depth % moves.size()];
        const int score = std::data(scores)[depth % scores.size()];
        if (time_manager.is_enough(seconds, best, score)) return seconds;
    }
}

}  // namespace

TEST("without a target the time_manager ends no search") {
    TimeManager time_manager(0, 1);
    for (int depth = 1; depth < 50; ++depth) CHECK(!time_manager.is_enough(depth * 10.0, 0, 0));
}

TEST("a clear move takes less than the target, an unclear one more, within the maximum") {
    const double clear = end_of_search(TimeManager(1, 8), {3}, {50});
    const double changing = end_of_search(TimeManager(1, 8), {3, 4}, {50});
    const double falling =
        end_of_search(TimeManager(1, 8), {3}, {2000, 1500, 1000, 500, 0, -500, -1000, -1500, -2000, -2500});
    CHECK(clear < 1);
    CHECK(changing > 1);
    CHECK(falling > clear);
    CHECK(changing < 8);
    CHECK(falling < 8);
}

TEST("a rising score needs no more time than a stable one") {
    const double rising = end_of_search(TimeManager(1, 8), {3}, {0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000});
    CHECK_EQUAL(rising, end_of_search(TimeManager(1, 8), {3}, {50}));
}

TEST("a depth that could not be finished is not begun") {
    CHECK(end_of_search(TimeManager(1, 0.6), {3, 4}, {50}) < 0.6);
}

TEST("changes are forgotten after some depths") {
    TimeManager time_manager(1, 100);
    for (Cell best : {1, 2, 1, 2}) CHECK(!time_manager.is_enough(0.001, best, 0));
    const double unclear = time_manager.share();
    for (int depth = 0; depth < 8; ++depth) CHECK(!time_manager.is_enough(0.001, 2, 0));
    CHECK(time_manager.share() < unclear / 2);
    CHECK(time_manager.share() < 0.6);
}
