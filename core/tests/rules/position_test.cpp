#include "rules/position.hpp"

#include <algorithm>
#include <random>
#include <set>
#include <stdexcept>

#include "boards.hpp"
#include "check.hpp"
#include "positions.hpp"

using namespace noughts;
using namespace noughts::testing;

namespace {

constexpr int EMPTY = index(NO_SIDE);  // in the marks of a set-up

std::set<int> completing(const Position& position, Side side) {
    std::set<int> cells;
    position.completing_cells(side).for_each([&](Cell cell) { cells.insert(cell); });
    return cells;
}

// Reference implementation of completing(), from the marks alone.
std::set<int> completing_by_hand(const Position& position, Side side) {
    std::set<int> cells;
    for (const auto& line : position.game().data().lines) {
        std::vector<int> empties;
        bool alive = !position.is_decided(position.game().block_of(line.cells[0]));
        for (int cell : line.cells) {
            alive &= position.at(cell) != opponent(side);
            if (position.at(cell) == NO_SIDE) empties.push_back(cell);
        }
        for (int guard : line.guards) alive &= position.at(guard) != side;
        if (alive && empties.size() == 1) cells.insert(empties[0]);
    }
    return cells;
}

// Reference implementation of pairs: lines that lack two cells of a side, without an obstacle; for games of one block.
std::set<int> pairs_by_hand(const Position& position, Side side) {
    std::set<int> pairs;
    const auto& lines = position.game().data().lines;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        bool alive = true;
        for (int cell : lines[i].cells) alive &= position.at(cell) != opponent(side);
        for (int guard : lines[i].guards) alive &= position.at(guard) != side;
        if (alive && std::ranges::count(lines[i].cells, NO_SIDE, [&](int cell) { return position.at(cell); }) == 2)
            pairs.insert(static_cast<int>(i));
    }
    return pairs;
}

void check_pairs(const Position& position) {
    if (position.game().blocks() > 1) return;
    for (Side side : BOTH_SIDES) {
        std::set<int> pairs;
        position.for_each_pair(side, [&](int line) { pairs.insert(line); });
        CHECK(pairs == pairs_by_hand(position, side));
        CHECK_EQUAL(position.has_pairs(side), !pairs.empty());
    }
}

int score_by_hand(const Position& position) {
    const auto& data = position.game().data();
    int score = 0;
    auto worth = [](const std::vector<int>& weights, int marks) {
        return weights[std::min<std::size_t>(marks, weights.size() - 1)];
    };
    for (const auto& line : data.lines) {
        if (position.game().blocks() > 1 && position.is_decided(position.game().block_of(line.cells[0]))) continue;
        PerSide<int> marks;
        PerSide<bool> alive = {{true, true}};
        for (int cell : line.cells)
            if (Side side = position.at(cell); side != NO_SIDE) {
                ++marks[side];
                alive[opponent(side)] = false;
            }
        for (int guard : line.guards)
            if (Side side = position.at(guard); side != NO_SIDE) alive[side] = false;
        if (alive[X] && !alive[O] && marks[X] > 0) score += worth(data.weights.line, marks[X]);
        if (alive[O] && !alive[X] && marks[O] > 0) score -= worth(data.weights.line, marks[O]);
    }
    if (position.game().blocks() == 1) return score;
    score += data.weights.block * (std::popcount(position.now().won[X]) - std::popcount(position.now().won[O]));
    for (const auto& line : data.outer_lines) {
        PerOwner<int> won;
        for (int block : line)
            if (position.is_decided(block)) ++won[position.owner(block)];
        const int x = won[Owner::X], o = won[Owner::O];
        if (won[Owner::DEAD] > 0 || (x > 0) == (o > 0)) continue;
        score += x > 0 ? worth(data.weights.outer, x) : -worth(data.weights.outer, o);
    }
    return score;
}

void check_random_playthroughs(const GameData& data, int count) {
    std::mt19937 random(7);
    auto game = make(data);
    for (int i = 0; i < fewer(count); ++i) {
        Position position(game);
        std::vector<std::uint64_t> hashes;
        while (!position.is_over()) {
            CHECK_EQUAL(static_cast<int>(legal_moves(position).size()), position.count_legal());
            hashes.push_back(position.hash());
            position.play(random_move(position, random));
            for (Side side : BOTH_SIDES)
                CHECK(position.line_winner() != NO_SIDE ||
                      completing(position, side) == completing_by_hand(position, side));
            if (position.line_winner() == NO_SIDE) CHECK_EQUAL(position.score(), score_by_hand(position));
            check_pairs(position);
        }
        while (position.ply() > 0) {
            position.undo();
            CHECK_EQUAL(position.hash(), hashes[position.ply()]);
            for (Side side : BOTH_SIDES) CHECK(completing(position, side) == completing_by_hand(position, side));
            CHECK_EQUAL(position.score(), score_by_hand(position));
        }
    }
}

}  // namespace

TEST("perft of 3x3 is the published table") {
    Position position(make(board(3, 3, 3)));
    const std::uint64_t expected[] = {1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872};
    for (int depth = 0; depth <= 9; ++depth) CHECK_EQUAL(perft(position, depth), expected[depth]);
}

TEST("perft of ultimate is the published table") {
    Position position(make(ultimate(3)));
    const std::uint64_t expected[] = {1, 81, 720, 6336, 55080, 473256};
    for (int depth = 0; depth <= 5; ++depth) CHECK_EQUAL(perft(position, depth), expected[depth]);
}

TEST("completing cells, score and hash agree with the marks through play and undo") {
    check_random_playthroughs(board(3, 3, 3), 200);
    check_random_playthroughs(board(7, 6, 4, false, true), 100);
    check_random_playthroughs(board(9, 9, 5), 40);
    check_random_playthroughs(board(8, 8, 4, true), 100);
    check_random_playthroughs(board(12, 12, 5), 10);
    check_random_playthroughs(board(12, 12, 5, true), 10);
    check_random_playthroughs(cube(4), 60);
    check_random_playthroughs(ultimate(3), 100);
    check_random_playthroughs(with(ultimate(3), {.keeps_won_blocks_open = true}), 100);
    check_random_playthroughs(with(board(4, 4, 3), {.misere = true}), 100);
}

TEST("a run longer than k does not win with guards") {
    // X on 0, 1, 2, 3: four in a row.
    const Position position = played(make(board(7, 2, 3, true)), {0, 7, 1, 8, 3, 12, 2});
    CHECK(!position.is_over());
    CHECK_EQUAL(position.winner(), NO_SIDE);
}

TEST("completing a line loses in misere") {
    const Position position = played(make(with(board(3, 3, 3), {.misere = true})), {0, 3, 1, 4, 2});
    CHECK(position.is_over());
    CHECK_EQUAL(position.winner(), O);
    CHECK(position.winning_line() == std::vector<int>({0, 1, 2}));
}

TEST("the key ignores marks in closed blocks, the hash does not") {
    auto game = make(ultimate(3));
    // X has won block 0 by its top row in both positions, but O's marks in the block differ.
    std::vector<int> a(81, EMPTY), b(81, EMPTY);
    for (int cell : {0, 1, 2}) a[cell] = b[cell] = index(X);
    a[3] = b[4] = index(O);
    a[40] = b[40] = index(O);
    a[50] = b[50] = index(O);
    Position first(game, a, X, -1, {}), second(game, b, X, -1, {});
    CHECK(first.hash() != second.hash());
    CHECK_EQUAL(first.key(), second.key());
}

TEST("the key includes the side to move, which closed blocks may hide") {
    auto game = make(ultimate(3));
    std::vector<int> a(81, EMPTY), b(81, EMPTY);
    for (int cell : {0, 1, 2}) a[cell] = b[cell] = index(X);
    for (int cell : {3, 4}) a[cell] = b[cell] = index(O);
    b[6] = index(O);
    const Position o_to_move(game, a, O, -1, {}), x_to_move(game, b, X, -1, {});
    CHECK(o_to_move.key() != x_to_move.key());
}

TEST("a position set up from its marks equals the one played") {
    std::mt19937 random(3);
    for (const auto& data : {board(5, 5, 4, true), board(7, 6, 4, false, true), cube(3), ultimate(3)}) {
        auto game = make(data);
        Position position(game);
        while (!position.is_over()) {
            std::vector<int> marks, owners;
            position.play(random_move(position, random));
            for (int cell = 0; cell < game->cells(); ++cell) marks.push_back(index(position.at(cell)));
            const Position twin(game, marks, position.turn(), position.block_to_play(), owners);
            CHECK_EQUAL(twin.key(), position.key());
            CHECK_EQUAL(twin.is_over(), position.is_over());
            CHECK_EQUAL(twin.count_legal(), position.count_legal());
            if (position.line_winner() == NO_SIDE) CHECK_EQUAL(twin.score(), position.score());
            for (Side side : BOTH_SIDES)
                CHECK(completing(twin, side) == completing(position, side) || position.is_over());
        }
    }
}

TEST("positions that no playthrough could reach are refused") {
    auto game = make(board(3, 3, 3));
    const std::vector<int> both = {0, 0, 0, 1, 1, 1, -1, -1, -1};
    CHECK_THROWS(Position(game, both, X, -1, {}));
    auto falling = make(board(3, 3, 3, false, true));
    const std::vector<int> floating = {0, -1, -1, -1, -1, -1, -1, -1, -1};
    CHECK_THROWS(Position(falling, floating, O, -1, {}));
}
