#include "solve/narrow_win/narrow_win_search.hpp"

#include <random>

#include "boards.hpp"
#include "check.hpp"
#include "positions.hpp"
#include "snapshots.hpp"
#include "solve/solver.hpp"

using namespace noughts;
using namespace noughts::testing;

namespace {

std::shared_ptr<const Game> open_game(int n) { return make(with(ultimate(n), {.keeps_won_blocks_open = true})); }

// Counts the sides that win by a narrow attack, and checks that each is the winner of the game.
int count_narrow_wins(Position& position, const Symmetry& symmetry) {
    NarrowWinSearch search(position, symmetry, 1);
    const int value = brute_force_value(position);
    int wins = 0;
    for (Side attacker : BOTH_SIDES) {
        WorkLimit limit;
        if (!search.search(attacker, limit).is_proved()) continue;
        ++wins;
        CHECK_EQUAL(value, attacker == position.turn() ? 1 : -1);
        if (attacker != position.turn()) continue;
        const ScopedMove move(position, search.winning_attack(limit));
        CHECK_EQUAL(brute_force_value(position), -1);
    }
    return wins;
}

}  // namespace

TEST("narrow wins are wins by brute force, in every kind of Ultimate") {
    for (int n : {2, 3})
        for (auto& data : ultimate_variants(n)) {
            const auto game = make(data);
            const Symmetry symmetry(*game, {});
            std::mt19937 random(3);
            int wins = 0;
            for (int i = 0; i < fewer(60); ++i) {
                Position position = random_ending(game, 9, random);
                if (!position.is_over()) wins += count_narrow_wins(position, symmetry);
            }
            CHECK(wins > 0);
        }
}

TEST("where won blocks stay open, a narrow attack solves the empty board of 2 x 2 blocks") {
    const auto game = open_game(2);
    const Symmetry symmetry(*game, {});
    Solver solver(Position(game), symmetry, 4);
    const SolveResult solved = solver.solve({});
    CHECK_EQUAL(solved.lower, 1);
    CHECK(solved.nodes < 100);
    CHECK(solver.certificate().text.starts_with("claim X win\nm "));
}

TEST("a saved search for narrow wins continues where it ended") {
    const auto game = open_game(3);
    const Symmetry symmetry(*game, {});
    const Position position = played(game, {40, 36, 4, 37, 13, 38, 22, 39, 31, 41, 49, 42, 58, 43, 67, 44});
    Solver whole(position, symmetry, 16);
    const SolveResult solved = whole.solve({});
    CHECK_EQUAL(solved.lower, 1);
    Solver first(position, symmetry, 16);
    CHECK(!first.solve({0, solved.nodes / 2}).is_solved());
    const std::string bytes = saved_bytes([&](SnapshotWriter& out) { first.save(out); });
    Solver second(position, symmetry, 16);
    SnapshotReader in = reader_of(bytes);
    second.load(in);
    const SolveResult rest = second.solve({});
    CHECK_EQUAL(rest.lower, 1);
    CHECK(rest.nodes < solved.nodes * 3 / 4);
}

TEST("a damaged snapshot leaves no narrow wins behind") {
    const auto game = open_game(2);
    const Symmetry symmetry(*game, {});
    Solver solver(Position(game), symmetry, 4);
    solver.solve({});
    std::string bytes = saved_bytes([&](SnapshotWriter& out) { solver.save(out); });
    bytes.resize(bytes.size() - 1);
    Solver other(Position(game), symmetry, 4);
    SnapshotReader in = reader_of(bytes);
    CHECK_THROWS_AS(other.load(in), InvalidSnapshot);
    CHECK_EQUAL(other.solve({}).nodes, solver.solve({}).nodes);
}
