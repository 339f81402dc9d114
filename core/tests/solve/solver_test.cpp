#include "solve/solver.hpp"

#include "boards.hpp"
#include "check.hpp"
#include "positions.hpp"
#include "snapshots.hpp"

using namespace noughts;
using namespace noughts::testing;

namespace {

SolveResult solve(const Position& position, std::size_t megabytes = 16, ProofTechniques techniques = {}) {
    const Symmetry symmetry(position.game(), {});
    return Solver(position, symmetry, megabytes, 1, techniques).solve({});
}

struct Family {
    GameData data;
    int free;
};

std::vector<Family> families() {
    return {{board(4, 4, 3), 9},
            {board(5, 3, 3), 9},
            {board(4, 4, 4), 9},
            {cube(3), 9},
            {board(5, 4, 4), 9},
            {board(5, 4, 4, true), 9},
            {board(4, 4, 3, true), 9},
            {board(4, 4, 3, false, true), 10},
            {with(board(4, 3, 3), {.misere = true}), 9},
            {ultimate(2), 16}};
}

}  // namespace

TEST("empty boards have the published values") {
    CHECK_EQUAL(solve(Position(make(board(3, 3, 3)))).lower, 0);
    CHECK_EQUAL(solve(Position(make(board(3, 3, 3)))).upper, 0);
    for (auto data : {board(4, 3, 3), board(5, 3, 3), board(4, 4, 3), cube(3), board(6, 5, 4), board(6, 6, 4)})
        CHECK_EQUAL(solve(Position(make(data))).lower, 1);
    for (auto data : {board(4, 4, 4), board(5, 5, 5), board(6, 5, 5), board(5, 4, 4), board(5, 5, 4), board(6, 6, 5)}) {
        const SolveResult solved = solve(Position(make(data)));
        CHECK_EQUAL(solved.lower, 0);
        CHECK_EQUAL(solved.upper, 0);
        CHECK(solved.move != NO_CELL);
    }
}

TEST("several threads find the same values, in little memory too") {
    for (auto [data, value] : {std::pair(board(3, 3, 3), 0), {board(6, 5, 4), 1}, {board(5, 5, 4), 0}, {cube(3), 1}})
        for (const int threads : {2, 4}) {
            const auto game = make(data);
            const Symmetry symmetry(*game, {});
            const SolveResult solved = Solver(Position(game), symmetry, 1, threads).solve({});
            CHECK_EQUAL(solved.lower, value);
            CHECK_EQUAL(solved.upper, value);
            CHECK(solved.move_is_proven);
        }
}

TEST("several threads find a draw by the Maker-Breaker game, with a certificate") {
    const auto game = make(board(7, 7, 5));
    const Symmetry symmetry(*game, {});
    Solver solver(Position(game), symmetry, 16, 2);
    CHECK_EQUAL(solver.solve({}).upper, 0);
    CHECK(solver.certificate().text.find("claim O block") != std::string::npos);
}

TEST("a solve by several threads obeys its limit, can be saved on the way, and continues") {
    const auto game = make(board(6, 4, 4));
    const Symmetry symmetry(*game, {});
    Solver first(Position(game), symmetry, 4, 3), second(Position(game), symmetry, 4, 2);
    const SolveResult stopped = first.solve({.nodes = 100});
    CHECK(!stopped.is_solved());
    CHECK(stopped.nodes >= 100 && stopped.nodes < 200);
    const std::string saved = saved_bytes([&](SnapshotWriter& out) { first.save(out); });
    SnapshotReader in = reader_of(saved);
    second.load(in);
    CHECK_EQUAL(second.solve({}).upper, 0);
    CHECK(second.certificate().text.size() > 100);
    CHECK_EQUAL(first.solve({}).upper, 0);
}

TEST("random positions of every family have the value that brute force finds") {
    for (auto& family : families()) {
        const auto game = make(family.data);
        std::mt19937 random(1);
        for (int i = 0; i < fewer(60); ++i) {
            Position position = random_ending(game, family.free, random);
            if (position.is_over()) continue;
            const SolveResult solved = solve(position);
            CHECK_EQUAL(solved.lower, brute_force_value(position));
            CHECK_EQUAL(solved.upper, solved.lower);
            if (solved.lower == -1) continue;
            position.play(solved.move);
            CHECK_EQUAL(-brute_force_value(position), solved.lower);
        }
    }
}

TEST("each technique only saves work: without it the values are the same") {
    for (auto& family : families()) {
        const auto game = make(family.data);
        std::mt19937 random(7);
        for (int i = 0; i < fewer(25); ++i) {
            const Position position = random_ending(game, family.free + 2, random);
            if (position.is_over()) continue;
            const int value = solve(position).lower;
            for (int off = 0; off < 6; ++off) {
                ProofTechniques techniques;
                techniques.erdos_selfridge = off != 0;
                techniques.set_matching = off != 1;
                techniques.domination = off != 2;
                techniques.forced_wins = off != 3;
                techniques.relevance_zones = off != 3 && off != 4;
                if (off == 5) techniques.fork_win_cells = 0;  // fork wins are used on all boards
                CHECK_EQUAL(solve(position, 16, techniques).lower, value);
            }
        }
    }
}

TEST("a table of one megabyte gives the same values, only later") {
    CHECK_EQUAL(solve(Position(make(board(6, 5, 4))), 1).lower, 1);
    const SolveResult draw = solve(Position(make(board(5, 5, 4))), 1);
    CHECK(draw.is_solved());
    CHECK_EQUAL(draw.lower, 0);
}

TEST("a solve that ends at a limit claims no more than it knows, and the next one continues it") {
    const Position position(make(board(5, 5, 4)));
    const Symmetry symmetry(position.game(), {});
    Solver solver(position, symmetry, 16);
    SolveResult solved = solver.solve({.nodes = 100});
    CHECK_EQUAL(solved.lower, 0);  // strategy stealing
    CHECK_EQUAL(solved.upper, 1);
    for (int sitting = 0; sitting < 10000 && !solved.is_solved(); ++sitting) solved = solver.solve({.nodes = 500});
    CHECK_EQUAL(solved.upper, 0);
}

TEST("strategy stealing is used only from an empty board where a mark never hurts") {
    for (auto data : {board(5, 5, 4, true), board(5, 4, 4, false, true)}) {
        const Position position(make(data));
        const Symmetry symmetry(position.game(), {});
        CHECK_EQUAL(Solver(position, symmetry, 1).solve({.nodes = 1}).lower, -1);
    }
    Position marked(make(board(5, 5, 4)));
    marked.play(0);
    marked.play(1);
    const Symmetry symmetry(marked.game(), {});
    CHECK_EQUAL(Solver(marked, symmetry, 1).solve({.nodes = 1}).lower, -1);
}

TEST("results survive a snapshot, and snapshots of other games are refused") {
    const Position position(make(board(5, 5, 4)));
    const Symmetry symmetry(position.game(), {});
    Solver first(position, symmetry, 16);
    const std::uint64_t whole = Solver(position, symmetry, 16).solve({}).nodes;
    first.solve({.nodes = whole / 2});
    const std::string saved = saved_bytes([&](SnapshotWriter& out) { first.save(out); });
    Solver second(position, symmetry, 16);
    SnapshotReader in = reader_of(saved);
    second.load(in);
    const SolveResult solved = second.solve({});
    CHECK_EQUAL(solved.lower, 0);
    CHECK_EQUAL(solved.upper, 0);
    CHECK(solved.nodes < whole);
    const Position other(make(board(5, 4, 4)));
    const Symmetry other_symmetry(other.game(), {});
    Solver third(other, other_symmetry, 16);
    SnapshotReader again = reader_of(saved);
    CHECK_THROWS_AS(third.load(again), InvalidSnapshot);
}

TEST("a drawn position without open lines has a move, a certificate and the same value after a snapshot") {
    // X O O X / O O X X / X X O O / O X . .
    const std::vector<int> cells = {0, 1, 1, 0, 1, 1, 0, 0, 0, 0, 1, 1, 1, 0, -1, -1};
    const Position position(make(board(4, 4, 4)), cells, X, -1, {});
    const Symmetry symmetry(position.game(), {});
    Solver solver(position, symmetry, 1);
    const SolveResult solved = solver.solve({});
    CHECK(solved.is_solved());
    CHECK_EQUAL(solved.lower, 0);
    CHECK(position.is_legal(solved.move));
    CHECK(!solver.certificate().text.empty());
    const std::string saved = saved_bytes([&](SnapshotWriter& out) { solver.save(out); });
    Solver second(position, symmetry, 1);
    SnapshotReader in = reader_of(saved);
    second.load(in);
    CHECK_EQUAL(second.solve({}).lower, 0);
}

TEST("a solve that ends at a limit still names a legal move") {
    for (auto data : {board(5, 5, 4), board(9, 9, 5, true), board(7, 6, 4, false, true), ultimate(3)}) {
        const Position position(make(std::move(data)));
        const Symmetry symmetry(position.game(), {});
        const SolveResult solved = Solver(position, symmetry, 1).solve({.nodes = 1});
        CHECK(!solved.is_solved());
        CHECK(position.is_legal(solved.move));
        CHECK(!solved.move_is_proven);
    }
}
