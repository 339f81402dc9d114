#include "solve/exhaustive/exhaustive_solver.hpp"

#include <algorithm>
#include <ctime>
#include <random>
#include <set>

#include "boards.hpp"
#include "check.hpp"
#include "positions.hpp"
#include "snapshots.hpp"

using namespace noughts;
using namespace noughts::testing;

namespace {

constexpr std::size_t SMALL = 1 << 14, ONE_MB = 1 << 20;

struct Found {
    Bounds bounds;
    int move;
    std::uint64_t nodes;
};

Found solve(ExhaustiveSolver& exhaust, const Position& position, int alpha = -1, int beta = 1) {
    WorkLimit limit;
    const auto [bounds, move] = exhaust.solve(position, alpha, beta, limit);
    return {bounds, move, limit.nodes()};
}

void check_result(ExhaustiveSolver& exhaust, Position& position, int value) {
    const Found result = solve(exhaust, position);
    CHECK_EQUAL(result.bounds.lower, value);
    CHECK_EQUAL(result.bounds.upper, value);
    if (position.is_over()) return;
    CHECK(position.is_legal(result.move));
    const ScopedMove move(position, result.move);
    CHECK_EQUAL(-brute_force_value(position), value);
}

// Solves endings of a game and their descendants with one table, and with every kind of window.
void check_endings(GameData data, int free, int count, std::size_t bytes = SMALL, int seed = 1) {
    const auto game = make(std::move(data));
    ExhaustiveSolver exhaust(game, bytes, Symmetry(*game, {}).elements());
    std::mt19937 random(seed);
    for (int i = 0; i < fewer(count); ++i) {
        Position position = random_ending(game, free, random);
        const int value = brute_force_value(position);
        for (int alpha : {-1, 0})
            for (int beta = alpha + 1; beta <= 1 && i % 4 == 0; ++beta) {
                const Bounds bounds = solve(exhaust, position, alpha, beta).bounds;
                CHECK(bounds.lower <= value && value <= bounds.upper);
                CHECK(bounds.is_exact() || bounds.lower >= beta || bounds.upper <= alpha);
            }
        check_result(exhaust, position, value);
    }
}

// Lines of any length anywhere, with or without guards; with gravity, cells may rest on any number of others.
GameData any_game(int cells, bool guards, bool gravity, std::mt19937& random) {
    GameData data;
    data.cells = cells;
    auto pick = [&](int count) {
        std::set<int> chosen;
        while (static_cast<int>(chosen.size()) < count) chosen.insert(static_cast<int>(random() % cells));
        return std::vector<int>(chosen.begin(), chosen.end());
    };
    for (int i = 0; i < cells; ++i) {
        LineData line;
        line.cells = pick(2 + static_cast<int>(random() % 4));
        for (int guard : pick(guards ? 2 : 0))
            if (std::ranges::find(line.cells, guard) == line.cells.end()) line.guards.push_back(guard);
        data.lines.push_back(line);
    }
    data.rests_on.resize(cells);
    for (int cell = 1; cell < cells && gravity; ++cell)
        for (int below : pick(static_cast<int>(random() % 3)))
            if (below < cell) data.rests_on[cell].push_back(below);
    data.weights.line = {0, 1, 4, 16};
    return data;
}

}  // namespace

TEST("exhaustive search equals brute force on flat boards") {
    for (bool misere : {false, true})
        for (bool exact : {false, true})
            for (bool gravity : {false, true}) {
                check_endings(with(board(3, 3, 3, exact, gravity), {misere}), 7, 60);
                check_endings(with(board(4, 4, 3, exact, gravity), {misere}), 7, 150);
                check_endings(with(board(5, 4, 4, exact, gravity), {misere}), 8, 150);
                check_endings(with(board(5, 5, 4, exact, gravity), {misere}), 8, 100);
                check_endings(with(board(7, 6, 4, exact, gravity), {misere}), 8, 150);
            }
}

TEST("exhaustive search equals brute force on cubes, wrapped boards and boards of more than 64 cells") {
    for (bool misere : {false, true}) {
        check_endings(with(cube(3), {misere}), 8, 200);
        check_endings(with(cube(4), {misere}), 8, 100);
        check_endings(with(wrapped(4, 4, 3), {misere}), 8, 150);
        check_endings(with(wrapped(5, 5, 4), {misere}), 8, 150);
        check_endings(with(wrapped(8, 8, 4), {misere}), 7, 100);
        check_endings(with(board(9, 9, 5), {misere}), 7, 100);
        check_endings(with(board(9, 8, 5, true), {misere}), 7, 100);
        check_endings(with(board(10, 7, 4, false, true), {misere}), 8, 100);
    }
}

TEST("exhaustive search equals brute force on lines drawn at random") {
    std::mt19937 random(5);
    for (int i = 0; i < fewer(700); ++i) {
        const bool guards = random() % 2, gravity = random() % 2, misere = random() % 3 == 0;
        const int cells = i % 10 == 0 ? 70 : 8 + static_cast<int>(random() % 57);
        check_endings(with(any_game(cells, guards, gravity, random), {misere}), 7, 6, SMALL, i);
    }
}

TEST("exhaustive search equals brute force on blocks within blocks") {
    for (auto& data : ultimate_variants(2)) check_endings(std::move(data), 8, 100);
    for (auto& data : ultimate_variants(3)) check_endings(std::move(data), 8, 150);
}

TEST("a table of any size gives the same values") {
    for (std::size_t bytes : {std::size_t{1}, SMALL, ONE_MB})
        for (auto data : {board(4, 4, 4, false, true), board(4, 3, 3), board(5, 4, 4, false, true), wrapped(4, 4, 4)}) {
            const auto game = make(std::move(data));
            ExhaustiveSolver exhaust(game, bytes);
            ExhaustiveSolver large(game, 64 * ONE_MB, Symmetry(*game, {}).elements());
            const Position position(game);
            CHECK_EQUAL(solve(exhaust, position).bounds.lower, solve(large, position).bounds.lower);
            CHECK(exhaust.known(position).is_exact());
        }
}

TEST("exhaustive search by several threads gives the same values") {
    for (auto data : {board(5, 5, 4, false, true), board(6, 4, 4, false, true), with(board(4, 4, 3), {.misere = true}),
                      ultimate(2)}) {
        const auto game = make(std::move(data));
        ExhaustiveSolver alone(game, ONE_MB);
        const Bounds expected = solve(alone, Position(game)).bounds;
        for (int threads = SLOWNESS > 1 ? 4 : 2; threads <= 4; threads += 2) {
            ExhaustiveSolver together(game, ONE_MB, {}, threads);
            const Bounds bounds = solve(together, Position(game)).bounds;
            CHECK_EQUAL(bounds.lower, expected.lower);
            CHECK_EQUAL(bounds.upper, expected.upper);
        }
    }
}

// One thread takes 2.1 million nodes. When moves were ordered by results that threads had learned, several threads took
// 7 to 22 million.
TEST("threads of an exhaustive search take about as many nodes as one") {
    const auto game = make(board(7, 6, 4, false, true));
    Position position(game);
    for (const int cell : {38, 31, 24, 17, 37}) position.play(cell);
    for (int i = 0; i < fewer(2); ++i) {
        ExhaustiveSolver together(game, 128 * ONE_MB, Symmetry(*game, {}).elements(), 2);
        const Found answer = solve(together, position);
        CHECK_EQUAL(answer.bounds.lower, 1);
        CHECK(answer.nodes < 4'000'000);
    }
}

TEST("exhaustive search by several threads obeys its limit, and can be saved meanwhile") {
    for (auto data : {board(7, 6, 4, false, true), with(board(6, 6, 4), {.misere = true}), ultimate(3)}) {
        const auto game = make(std::move(data));
        ExhaustiveSolver together(game, ONE_MB, {}, 2), second(game, ONE_MB);
        std::string saved;
        const auto save = [&](const WorkLimit&) {
            saved = saved_bytes([&](SnapshotWriter& out) { together.save(out); });
            return false;
        };
        WorkLimit limit({}, {}, save);
        CHECK(!together.solve(Position(game), -1, 1, limit).bounds.is_exact());
        CHECK(limit.is_spent());
        SnapshotReader in = reader_of(saved);
        second.load(in);
    }
}

TEST("known values of small games") {
    struct Known {
        GameData data;
        int value;
    };
    const Known games[] = {{board(3, 3, 3), 0},
                           {board(4, 3, 3), 1},
                           {board(4, 4, 3), 1},
                           {board(4, 4, 4), 0},
                           {cube(3), 1},
                           {with(board(3, 3, 3), {.misere = true}), 0},
                           {with(board(4, 3, 3), {.misere = true}), -1},
                           {with(board(4, 4, 3), {.misere = true}), -1},
                           {with(board(4, 4, 4), {.misere = true}), 0}};
    for (const auto& [data, value] : games) {
        const auto game = make(data);
        ExhaustiveSolver exhaust(game, 16 * ONE_MB, Symmetry(*game, {}).elements());
        const Found result = solve(exhaust, Position(game));
        CHECK(result.bounds.is_exact());
        CHECK_EQUAL(result.bounds.lower, value);
    }
}

TEST("a search that is cut short claims nothing false, and continues from what it knows") {
    const auto game = make(board(5, 5, 4, false, true));
    const Position position(game);
    ExhaustiveSolver whole(game, ONE_MB), parts(game, ONE_MB);
    const Found expected = solve(whole, position);
    ExhaustiveResult result;
    int rounds = 0;
    std::uint64_t nodes = 0;
    bool is_cut_short = true;
    for (; is_cut_short && rounds < 1000; ++rounds) {
        WorkLimit limit({.nodes = nodes += 5000});
        result = parts.solve(position, -1, 1, limit);
        is_cut_short = limit.is_spent();
        CHECK(limit.nodes() <= nodes);
        CHECK(result.bounds.lower <= expected.bounds.lower && expected.bounds.upper <= result.bounds.upper);
    }
    CHECK(rounds > 1);
    CHECK_EQUAL(result.bounds.lower, expected.bounds.lower);
    CHECK_EQUAL(result.bounds.upper, expected.bounds.upper);
}

TEST("a search asks every ten milliseconds of processor time whether to end, and reports its progress") {
    for (auto data :
         {board(7, 6, 4, false, true), ultimate(3), with(board(6, 6, 4), {.misere = true}), board(9, 9, 5)}) {
        const auto game = make(std::move(data));
        ExhaustiveSolver exhaust(game, ONE_MB);
        // Processor time, since other processes may be using the machine.
        const std::clock_t start = std::clock();
        std::clock_t asked = start;
        int reports = 0, times = 0, late = 0;
        const auto interrupt = [&] {
            ++times;
            late += std::clock() - asked >= SLOWNESS * CLOCKS_PER_SEC / 100;
            asked = std::clock();
            return asked - start > CLOCKS_PER_SEC / 4;
        };
        WorkLimit limit({.report_seconds = 0.1}, interrupt, [&](const WorkLimit& now) {
            reports += now.nodes() > 0;
            return true;
        });
        const ExhaustiveResult result = exhaust.solve(Position(game), -1, 1, limit);
        CHECK(limit.is_spent());
        CHECK(reports >= 1);
        CHECK(times >= 10);
        CHECK(late <= 1 + times / 50);  // a busy machine may be late occasionally
        CHECK(!result.bounds.is_exact());
    }
}

TEST("a saved table is read back, into a table of another size too") {
    std::mt19937 random(2);
    for (auto data : {board(5, 5, 4, false, true), cube(4), ultimate(3)}) {
        const auto game = make(std::move(data));
        ExhaustiveSolver first(game, ONE_MB), second(game, 2 * ONE_MB);
        Position position(game);
        do position = random_ending(game, 16, random);
        while (position.is_over());
        const Found solved = solve(first, position);
        const std::string saved = saved_bytes([&](SnapshotWriter& out) { first.save(out); });
        SnapshotReader in = reader_of(saved);
        second.load(in);
        const Found again = solve(second, position);
        CHECK_EQUAL(again.bounds.lower, solved.bounds.lower);
        CHECK_EQUAL(again.move, solved.move);
        CHECK(again.nodes < solved.nodes || solved.nodes < 100);
    }
}

TEST("anything but a table of this game is refused") {
    const auto game = make(board(4, 4, 4, false, true));
    ExhaustiveSolver exhaust(game, ONE_MB), other(make(board(4, 4, 3, false, true)), ONE_MB);
    solve(exhaust, Position(game));
    const std::string whole = saved_bytes([&](SnapshotWriter& out) { exhaust.save(out); });
    const auto refuses = [](ExhaustiveSolver& machine, const std::string& bytes) {
        SnapshotReader in = reader_of(bytes);
        CHECK_THROWS_AS(machine.load(in), InvalidSnapshot);
    };
    for (const std::string& bytes :
         {std::string("three in a row"), std::string(), whole.substr(0, whole.size() - 3), whole + "more"})
        refuses(exhaust, bytes);
    refuses(other, whole);
}

TEST("a position in a snapshot is checked before it is set up") {
    const auto game = make(ultimate(2));
    ExhaustiveSolver exhaust(game, ONE_MB);
    exhaust.start_from(Position(game));
    const std::string whole = saved_bytes([&](SnapshotWriter& out) { exhaust.save(out); });
    const std::size_t cells =
        whole.size() - (8 + 1 + 1 + 1 + 4 + 16);  // number of entries, pinned, block, turn, owners, cells
    for (std::size_t at = cells - 1; at < whole.size(); ++at)
        for (const int value : {-128, -100, -20, -2, 2, 3, 5, 100, 127}) {
            std::string crafted = whole;
            crafted[at] = static_cast<char>(value);
            if (at >= cells + 16 && at < cells + 20 && value == index(Owner::DEAD))
                continue;                                               // owners that the constructor finds itself
            if (at == cells + 21 && value >= 0 && value < 4) continue;  // a block that may be played in
            SnapshotReader in = reader_of(crafted);
            CHECK_THROWS_AS(exhaust.load(in), InvalidSnapshot);
        }
}
