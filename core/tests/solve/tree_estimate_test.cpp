#include "solve/exhaustive/tree_estimate.hpp"

#include <cmath>
#include <functional>

#include "check.hpp"

using namespace noughts;
using namespace noughts::testing;

namespace {

constexpr int LEVELS = 8, WATCHED = 5;

// Searches a tree in which every node has `moves` moves, and calls `look` before each node.
struct Tree {
    int moves;
    std::function<void(std::uint64_t)> look;
    TreeEstimate estimate{};
    std::uint64_t nodes = 0;

    void search(int level) {
        look(nodes);
        ++nodes;
        if (level == LEVELS) return;
        const bool is_watched = estimate.watches(level);
        if (is_watched) estimate.enter(level, nodes);
        for (int move = 0; move < moves; ++move) {
            if (is_watched) estimate.begin_move(move, nodes);
            search(level + 1);
        }
        if (is_watched) estimate.leave(nodes);
    }
};

}  // namespace

TEST("the size of a regular tree is estimated well once a part of it is done") {
    Tree tree{3, [](std::uint64_t) {}};
    tree.estimate.start(0, WATCHED, 0);
    tree.search(0);
    const auto total = static_cast<double>(tree.nodes);
    tree = {3, {}};
    int looks = 0, good = 0;
    tree.look = [&](std::uint64_t nodes) {
        const auto done = static_cast<double>(nodes);
        if (done < total / 20) return;
        const double size = done + tree.estimate.nodes_left(nodes);
        ++looks;
        good += total / 1.5 < size && size < total * 1.5;
    };
    tree.estimate.start(0, WATCHED, 0);
    tree.search(0);
    CHECK(looks > 0);
    CHECK(good > looks * 3 / 4);
}

TEST("nothing is told of a search before the first node is finished") {
    Tree tree{3, {}};
    int looks = 0;
    tree.look = [&](std::uint64_t nodes) {
        if (looks++ < LEVELS) CHECK(tree.estimate.nodes_left(nodes) < 0);
    };
    tree.estimate.start(0, WATCHED, 1);
    tree.search(0);
    CHECK(looks > LEVELS);
}

TEST("the line is that of the moves being searched") {
    TreeEstimate estimate;
    estimate.start(4, 3, 0);
    estimate.enter(4, 0);
    estimate.begin_move(7, 0);
    estimate.begin_move(9, 50);
    estimate.enter(5, 51);
    estimate.begin_move(2, 51);
    CHECK((estimate.path() == std::vector<int>{9, 2}));
    estimate.leave(100);
    CHECK((estimate.path() == std::vector<int>{9}));
    estimate.enter(6, 101);  // a level is missing, because of a forced move
    estimate.begin_move(1, 101);
    CHECK((estimate.path() == std::vector<int>{9}));
}
