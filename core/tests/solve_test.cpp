#include "solve/solver.hpp"

#include "boards.hpp"
#include "check.hpp"
#include "search/fixed_depth.hpp"
#include "snapshots.hpp"

using namespace noughts;
using namespace noughts::testing;

namespace {

SolveResult solve(const Position& position, std::size_t megabytes = 16, ProofTechniques techniques = {}) {
    const Symmetry symmetry(position.game(), {});
    return Solver(position, symmetry, megabytes, techniques).solve({});
}

// The slow, obvious twin: every move, to the end.
int value_by_hand(Position& position) {
    if (position.is_over()) return position.winner() == NOBODY ? 0 : position.winner() == position.turn() ? 1 : -1;
    int best = -1;
    std::vector<int> moves;
    position.for_each_legal([&](int cell) { moves.push_back(cell); });
    for (int cell : moves) {
        const ScopedMove move(position, cell);
        best = std::max(best, -value_by_hand(position));
        if (best == 1) break;
    }
    return best;
}

// Plays random moves until so many cells are free; false when the game ends before.
bool play_randomly(Position& position, int free, std::uint64_t seed) {
    while (!position.is_over() && position.now().free > free) {
        std::vector<int> moves;
        position.for_each_legal([&](int cell) { moves.push_back(cell); });
        position.play(moves[mix(seed++) % moves.size()]);
    }
    return !position.is_over();
}

struct Family {
    GameData data;
    int free;
};

std::vector<Family> families() {
    GameData misere = board(4, 3, 3);
    misere.misere = true;
    return {
        {board(4, 4, 3), 9},    {board(5, 3, 3), 9},       {board(4, 4, 4), 9},       {cube(3), 9},
        {board(5, 4, 4), 9},    {board(5, 4, 4, true), 9}, {board(4, 4, 3, true), 9}, {board(4, 4, 3, false, true), 10},
        {std::move(misere), 9}, {ultimate(2), 16}};
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

TEST("random positions of every family have the value that trying everything gives") {
    for (auto& family : families()) {
        const auto game = make(family.data);
        for (int seed = 0; seed < fewer(60); ++seed) {
            Position position(game);
            if (!play_randomly(position, family.free, seed * 1000)) continue;
            const SolveResult solved = solve(position);
            CHECK_EQUAL(solved.lower, value_by_hand(position));
            CHECK_EQUAL(solved.upper, solved.lower);
            if (solved.lower == -1) continue;
            position.play(solved.move);
            CHECK_EQUAL(-value_by_hand(position), solved.lower);
        }
    }
}

TEST("each argument only saves work: without it the values are the same") {
    for (auto& family : families()) {
        const auto game = make(family.data);
        for (int seed = 0; seed < fewer(25); ++seed) {
            Position position(game);
            if (!play_randomly(position, family.free + 2, seed * 1000 + 7)) continue;
            const int value = solve(position).lower;
            for (int off = 0; off < 5; ++off) {
                ProofTechniques techniques;
                techniques.sums = off != 0;
                techniques.pairings = off != 1;
                techniques.dominated = off != 2;
                techniques.chains = off != 3;
                techniques.zones = off != 3 && off != 4;
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

TEST("a solve that ends at a limit claims no more than it knows, and goes on where it was") {
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

TEST("what was found out survives a snapshot, and snapshots of other games are refused") {
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

TEST("a solve that ends at a limit names a legal move all the same") {
    for (auto data : {board(5, 5, 4), board(9, 9, 5, true), board(7, 6, 4, false, true), ultimate(3)}) {
        const Position position(make(std::move(data)));
        const Symmetry symmetry(position.game(), {});
        const SolveResult solved = Solver(position, symmetry, 1).solve({.nodes = 1});
        CHECK(!solved.is_solved());
        CHECK(position.is_legal(solved.move));
        CHECK(!solved.move_is_proven);
    }
}

TEST("the table never takes one position for another") {
    ProofTable table(2, 1);
    const Word key[2] = {5, 9}, other[2] = {9, 5};
    table.store(key, 1, {PROVED, 7, 3, 0});
    ProofEntry found;
    CHECK(table.probe(key, 1, found));
    CHECK(found.numbers.is_proved());
    CHECK_EQUAL(found.move, 3);
    CHECK(!table.probe(other, 1, found));
    CHECK(!table.probe(key, 2, found));
    for (Word i = 0; i < 100000; ++i) {
        const Word many[2] = {i, i * i};
        table.store(many, 0, {{static_cast<std::uint32_t>(i) + 1, 1}, 1, 0, 0});
    }
    int kept = 0;
    for (Word i = 0; i < 100000; ++i) {
        const Word many[2] = {i, i * i};
        if (!table.probe(many, 0, found)) continue;
        ++kept;
        CHECK_EQUAL(found.numbers.proof, i + 1);
    }
    CHECK(kept > 20000);
    CHECK(table.bytes() <= 1 << 20);
}

TEST("a table forgets nothing while it grows, and can be saved at any moment of it") {
    ProofTable table(2, 64);
    ProofEntry found;
    const auto has_all = [&found](const ProofTable& read, Word end) {
        int missing = 0;
        for (Word i = 0; i < end; ++i) {
            const Word key[2] = {i, i * i};
            missing += !read.probe(key, 1, found) || found.work != i;
        }
        return missing * 10 <= static_cast<int>(end);  // four share a place: some lose theirs
    };
    Word stored = 0;
    // The first growth begins with entry 8193 and takes 1024 more.
    for (const Word end : {8'000, 8'300, 9'000, 9'300, 40'000, 120'000}) {
        for (; stored < end; ++stored) {
            const Word key[2] = {stored, stored * stored};
            table.store(key, 1, {{1, 1}, static_cast<std::uint32_t>(stored), 0, 0});
        }
        CHECK(has_all(table, end));
        const std::string saved = saved_bytes([&](SnapshotWriter& out) { table.save(out, 5); });
        ProofTable second(2, 8);
        SnapshotReader in = reader_of(saved);
        second.load(in, 5, 9);
        CHECK(has_all(second, end));
    }
}

TEST("proof numbers, tags and moves that no search stores are refused") {
    ProofTable table(2, 1);
    const Word key[2] = {5, 9};
    const ProofEntry sound{{3, 4}, 7, 3, 0};
    const auto with = [&sound](ProofNumbers numbers, std::uint16_t move) {
        return ProofEntry{numbers, sound.work, move, 0};
    };
    for (const ProofEntry& bad :
         {with({0, 0}, 3), with({0, 7}, 3), with({INFINITE, 5}, 3), with({5, INFINITE + 1}, 3), with({3, 4}, 9)}) {
        ProofTable first(2, 1), second(2, 1);
        first.store(key, 1, bad);
        const std::string saved = saved_bytes([&](SnapshotWriter& out) { first.save(out, 5); });
        SnapshotReader in = reader_of(saved);
        CHECK_THROWS_AS(second.load(in, 5, 9), InvalidSnapshot);
        CHECK_EQUAL(second.entries(), 0u);
    }
    table.store(key, 3, sound);
    std::string saved = saved_bytes([&](SnapshotWriter& out) { table.save(out, 5); });
    SnapshotReader in = reader_of(saved);
    table.load(in, 5, 9);
    saved[saved.size() - 8] = 5;  // the tag without its mark of use
    SnapshotReader unused = reader_of(saved);
    CHECK_THROWS_AS(table.load(unused, 5, 9), InvalidSnapshot);
}
