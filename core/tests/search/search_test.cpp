#include "search/engine.hpp"

#include <random>
#include <thread>

#include "boards.hpp"
#include "check.hpp"
#include "search/evaluate.hpp"
#include "tactics/threat_search.hpp"

using namespace noughts;
using namespace noughts::testing;

namespace {

Report search(Engine& engine, const Position& position, const Limits& limits, int lines = 1) {
    return engine.search(position, limits, lines, {}, {});
}

}  // namespace

TEST("a line of three is completed at once") {
    Engine engine(1, 1);
    const Report report = search(engine, played(make(board(3, 3, 3)), {0, 3, 1, 4}), {.depth = 4});
    CHECK_EQUAL(report.lines[0].move, 2);
    CHECK_EQUAL(report.lines[0].score, win_in(1));
    CHECK(report.lines[0].proven);
}

TEST("three by three is a draw with any number of threads") {
    const Position position(make(board(3, 3, 3)));
    for (int threads : {1, 2, 4}) {
        Engine engine(threads, 1);
        const Report report = search(engine, position, {});
        CHECK(report.lines[0].proven);
        CHECK_EQUAL(report.lines[0].score, 0);
    }
}

TEST("a forced win too long for the search at one node is found by the first depths of the tree") {
    const auto game = make(cube(4));
    ThreatSearch patient(*game), hasty(*game);
    std::mt19937 random(5);
    for (int tried = 0; tried < 10;) {
        Position position(game);
        if (!play_randomly(position, 64 - 20, random) || hasty.search(position, 120) > 0 ||
            patient.search(position, 4000) == 0)
            continue;
        ++tried;
        Engine engine(1, 1);
        const Report report = search(engine, position, {.depth = 6});
        CHECK(is_win(report.lines[0].score));
        CHECK(report.lines[0].proven);
    }
}

TEST("one thread counts the same nodes every time") {
    const Position position(make(cube(4)));
    std::uint64_t nodes[2];
    for (auto& count : nodes) {
        Engine engine(1, 1);
        count = search(engine, position, {.depth = 4}).nodes;
    }
    CHECK_EQUAL(nodes[0], nodes[1]);
}

TEST("several threads share a table, and another thread can stop the search") {
    for (auto data : {cube(4), ultimate(3), board(15, 15, 5, true), board(7, 6, 4, false, true)}) {
        const Position position(make(std::move(data)));
        Engine engine(4, 1);
        std::atomic<bool> started{false};
        std::thread stopper([&] {
            while (!started.load()) std::this_thread::yield();
            engine.stop();
        });
        const Progress progress = [&](const Report& report) {
            if (report.depth >= 2) started.store(true);
            return true;
        };
        const Report report = engine.search(position, {.seconds = 30}, 2, progress, {});
        stopper.join();
        CHECK_EQUAL(report.lines.size(), std::size_t{2});
        CHECK(position.is_legal(report.lines[0].move));
        CHECK(report.seconds < 20);
    }
}

TEST("several threads stop at a limit of nodes, and the next search uses the same table") {
    Position position(make(ultimate(3)));
    Engine engine(3, 1);
    for (int ply = 0; ply < 6; ++ply) {
        const Report report = search(engine, position, {.nodes = 2000});
        CHECK(position.is_legal(report.lines[0].move));
        position.play(report.lines[0].move);
    }
}

TEST("an interrupted search does not claim decided scores") {
    const Position position(make(board(4, 4, 4)));
    for (std::uint64_t nodes = 1; nodes < 400; nodes += 7) {
        Engine engine(1, 1);
        const Report report = search(engine, position, {.nodes = nodes}, 3);
        CHECK_EQUAL(report.lines.size(), std::size_t{3});
        for (const auto& line : report.lines) CHECK(!is_decided(line.score));
    }
}

TEST("playthroughs on a large board end, and each win that is claimed comes in time") {
    const auto game = make(board(15, 15, 5));
    std::mt19937 random(3);
    for (int round = 0; round < fewer(4); ++round) {
        Position position(game);
        for (int ply = 0; ply < 6; ++ply) {
            const int cell = 80 + static_cast<int>(random() % 3) * 15 + static_cast<int>(random() % 6);
            if (position.is_legal(cell)) position.play(cell);
        }
        Engine engine(1, 4);
        PerSide<int> claimed = {{0, 0}};  // the ply by which each side claims to win; 0 without a claim
        for (int ply = 0; ply < 40 && !position.is_over(); ++ply) {
            const RootVariation best = search(engine, position, {.nodes = 60'000}).lines[0];
            int& by = claimed[position.turn()];
            CHECK(by == 0 || (is_win(best.score) && best.proven));
            if (is_win(best.score)) by = ply + win_in(0) - best.score;
            CHECK(position.is_legal(best.move));
            position.play(best.move);
        }
    }
}
