#include "mcts/mcts.hpp"

#include <atomic>
#include <cmath>
#include <random>
#include <thread>

#include "boards.hpp"
#include "check.hpp"
#include "mcts/win_probability.hpp"
#include "positions.hpp"
#include "search/evaluate.hpp"

using namespace noughts;
using namespace noughts::testing;

namespace {

constexpr int SCALE = 100;

Report search(Mcts& mcts, const Position& position, const Limits& limits, int lines = 1,
              const EvaluateLeaves& evaluate = {}) {
    return mcts.search(position, limits, lines, {}, {}, {}, SCALE, evaluate);
}

}  // namespace

TEST("values follow the logistic curve, and scores are their inverse") {
    for (int spread : {50, 229, 1114}) {
        int last = -CERTAIN;
        for (int score = -6 * spread; score <= 6 * spread; score += 7) {
            const int value = value_of_score(score, spread);
            const double exact = 2 / (1 + std::exp(-static_cast<double>(score) / spread)) - 1;
            CHECK(std::abs(value - exact * CERTAIN) < 4);
            CHECK(value >= last);
            CHECK_EQUAL(value, -value_of_score(-score, spread));
            CHECK(std::abs(score_of_value(value, spread) - score) <= 1 + spread / 100);
            last = value;
        }
        CHECK_EQUAL(score_of_value(0, spread), 0);
        CHECK(value_of_score(MOST_ESTIMATED, spread) < CERTAIN);
        CHECK(score_of_value(CERTAIN, spread) <= MOST_ESTIMATED);
    }
    CHECK_EQUAL(decay(0, 128), CERTAIN);
    CHECK(std::abs(decay(128, 128) - std::exp(-1) * CERTAIN) < 4);
    CHECK_EQUAL(decay(std::int64_t{1} << 40, 128), 0);
}

TEST("nodes begin without bounds, and a full tree refuses more") {
    Tree tree(1);
    std::size_t nodes = 0;
    while (tree.add_node() != NOWHERE) ++nodes;
    CHECK_EQUAL(nodes, (std::size_t{1} << 20) / sizeof(Node));
    CHECK_EQUAL(tree.per_mille_used(), 1000);
    tree.clear();
    Node& node = tree.node(tree.add_node());
    CHECK(!node.is_expanded() && !node.is_decided() && node.visits == 0);
}

TEST("a node takes the best of its children's bounds, once all moves are known") {
    Tree tree(1);
    Node& node = tree.node(tree.add_node());
    std::vector<ScoredMove> moves{{3, 1}, {5, 2}, {7, 1}};
    CHECK(tree.expand(node, moves, true));
    CHECK_EQUAL(tree.edges(node)[0].move, 5);  // the highest prior first
    const auto open = [&](std::size_t edge, int value, int plies) {
        const TreeIndex child = tree.add_node();
        tree.edges(node)[edge].child = child;
        tree.node(child).decide(value, plies);
        ++node.opened;
        return tree.update_bounds(node);
    };
    CHECK(!open(0, 1, 3));  // a loss proves nothing as long as there are other moves
    CHECK(open(1, 0, 0));
    CHECK(node.lower == 0 && node.upper == 1);
    CHECK_EQUAL(tree.best(node)->move, 3);
    CHECK_EQUAL(tree.select(node, 1024)->move, 7);  // only this move could be better than a draw
    CHECK(open(2, -1, 4));
    CHECK(node.is_decided());
    CHECK_EQUAL(int{node.lower}, 1);
    CHECK_EQUAL(int{node.plies}, 5);
    CHECK_EQUAL(tree.best(node)->move, 7);
}

TEST("tree search agrees with brute force where it has a proof") {
    std::mt19937 random(16);
    int proven = 0;
    for (const GameData& data : {board(3, 3, 3), board(4, 3, 3, true), board(4, 4, 3, false, true), ultimate(2)}) {
        const auto game = make(data);
        for (int i = 0; i < fewer(60); ++i) {
            Position position = random_ending(game, 7, random);
            if (position.is_over()) continue;
            Mcts mcts({.megabytes = 1, .batch = 1 + i % 4, .seed = static_cast<std::uint64_t>(i)});
            const Report report = search(mcts, position, {.nodes = 2000});
            const RootVariation& best = report.lines.front();
            CHECK(position.is_legal(best.move));
            if (!best.proven) continue;
            ++proven;
            CHECK_EQUAL(is_win(best.score) - is_loss(best.score), brute_force_value(position));
        }
    }
    CHECK(proven > 0);
}

TEST("threads evaluate leaves without changing the result") {
    const Position position(make(cube(4)));
    const auto result = [&](int threads) {
        Mcts mcts({.threads = threads, .megabytes = 4, .batch = 12});
        return search(mcts, position, {.nodes = static_cast<std::uint64_t>(fewer(3000))});
    };
    const Report one = result(1), three = result(3);
    CHECK_EQUAL(one.lines[0].score, three.lines[0].score);
    CHECK(one.lines[0].pv == three.lines[0].pv);
    CHECK_EQUAL(one.nodes, three.nodes);
}

TEST("another thread stops a tree search with several threads, with every evaluator") {
    for (const auto kind : {EvaluatorKind::WEIGHTS, EvaluatorKind::ROLLOUTS}) {
        const Position position(make(board(7, 7, 5)));
        Mcts mcts({.threads = 4, .megabytes = 4, .evaluator = kind, .batch = 16});
        std::atomic<int> reports{0};
        std::thread stopper([&] {
            while (reports < 2) std::this_thread::yield();
            mcts.stop();
        });
        const auto progress = [&](const Report&) { return ++reports > 0; };
        const Report report = mcts.search(position, {}, 2, progress, {}, {}, SCALE, {});
        reports = 2;  // in case the search ends by itself
        stopper.join();
        CHECK(position.is_legal(report.lines.front().move));
    }
}

TEST("a function gets leaves that are not over, and may end the search") {
    const Position position(make(board(4, 4, 3)));
    Mcts mcts({.megabytes = 1, .evaluator = EvaluatorKind::FUNCTION, .batch = 8});
    int calls = 0;
    std::size_t largest = 0;
    const auto evaluate = [&](std::span<Leaf> leaves) {
        largest = std::max(largest, leaves.size());
        for (Leaf& leaf : leaves) {
            CHECK(!leaf.position.is_over());
            leaf.value = 0;
            leaf.moves = {};
            leaf.position.for_each_legal([&](Cell cell) { leaf.moves.moves.push_back({cell, 1}); });
        }
        return ++calls < 10;
    };
    const Report report = search(mcts, position, {.nodes = 100'000}, 1, evaluate);
    CHECK_EQUAL(calls, 10);
    CHECK_EQUAL(largest, 8u);
    CHECK(position.is_legal(report.lines.front().move));
}
