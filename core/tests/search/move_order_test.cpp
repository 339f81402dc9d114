#include "search/move_order.hpp"

#include <random>

#include "boards.hpp"
#include "check.hpp"

using namespace noughts;
using namespace noughts::testing;

TEST("the worth of cells, updated along a tree, equals a fresh count") {
    for (auto data : {board(15, 15, 5), board(9, 9, 5, true), cube(4)}) {
        const auto game = make(std::move(data));
        CellWorth worth(*game);
        std::mt19937 random(5);
        Position position(game);
        for (int step = 0; step < fewer(400); ++step) {
            const bool back = position.ply() > 0 && (position.is_over() || random() % 5 < 2);
            if (back)
                position.undo();
            else
                for (int cell = static_cast<int>(random() % game->cells());; cell = (cell + 1) % game->cells())
                    if (position.is_legal(cell)) {
                        position.play(cell);
                        break;
                    }
            if (random() % 3 > 0) continue;
            worth.update(position);
            for (int cell = 0; cell < game->cells(); ++cell)
                for (Side side : BOTH_SIDES)
                    if (position.at(cell) == NO_SIDE)
                        CHECK_EQUAL(worth.of(cell, side), worth.count(position, cell, side));
        }
    }
}

TEST("moves are handed out best first, and a deferred one again after all others") {
    std::vector<ScoredMove> moves = {{0, 99}, {10, 1}, {11, 5}, {12, 3}, {13, 4}};
    MovePicker picker(moves, 1, 4);  // the first move belongs to another node
    std::vector<Cell> order;
    while (const auto move = picker.next()) {
        if (move->move != 11) CHECK_EQUAL(picker.tried(), order.size());
        if (picker.is_deferrable() && move->move == 13) {
            picker.defer();
            continue;
        }
        order.push_back(move->move);
    }
    CHECK((order == std::vector<Cell>{11, 12, 10, 13}));
    CHECK_EQUAL(moves[0].move, 0);
}

TEST("the first move is never deferred, and a deferred one not twice") {
    std::vector<ScoredMove> moves = {{1, 3}, {2, 2}, {3, 1}};
    MovePicker picker(moves, 0, 3);
    std::vector<Cell> order;
    int deferred = 0;
    while (const auto move = picker.next()) {
        if (picker.is_deferrable()) {
            picker.defer();
            ++deferred;
            continue;
        }
        order.push_back(move->move);
    }
    CHECK_EQUAL(deferred, 2);
    CHECK((order == std::vector<Cell>{1, 2, 3}));
}

TEST("a move that refuted another comes first, and those tried before it later") {
    Position position(make(board(5, 5, 4)));
    position.play(0);
    MoveOrder order(position.game(), 8, false);
    std::vector<ScoredMove> moves(25);
    const auto best = [&] {
        const std::size_t count = order.gather(position, 0, NO_CELL, false, moves, 0);
        return pick_best(moves, 0, count).move;
    };
    const ScoredMove first{best(), 0};
    for (int i = 0; i < 10; ++i) order.reward(position, 0, 5, 18, {&first, 1});
    CHECK_EQUAL(best(), 18);
    order.gather(position, 0, 7, false, moves, 0);
    CHECK_EQUAL(pick_best(moves, 0, 24).move, 7);  // the move from the table
}
