#include "search/corrections.hpp"

#include "boards.hpp"
#include "check.hpp"

using namespace noughts;
using namespace noughts::testing;

TEST("a repeated error is corrected, and the other side's estimates are not changed") {
    Position position(make(ultimate(3)));
    Corrections corrections(position.game());
    position.play(0);
    CHECK_EQUAL(corrections.of(position), 0);
    for (int i = 0; i < 200; ++i) corrections.learn(position, -300, 8);
    CHECK(corrections.of(position) < -290 && corrections.of(position) >= -300);
    position.play(8);
    CHECK_EQUAL(corrections.of(position), 0);
}

TEST("a position that is similar in one way only gets half the correction") {
    Position position(make(ultimate(3)));
    Corrections corrections(position.game());
    for (int cell : {0, 8}) position.play(cell);
    for (int i = 0; i < 200; ++i) corrections.learn(position, 400, 8);
    const int whole = corrections.of(position);
    for (int ply = 0; ply < 2; ++ply) position.undo();
    for (int cell : {0, 7}) position.play(cell);  // sent elsewhere, and still no block won
    CHECK_EQUAL(corrections.of(position), whole / 2);
}

TEST("a single large error corrects little, and nothing in games of one block") {
    const Position position(make(ultimate(3))), flat(make(board(3, 3, 3)));
    Corrections corrections(position.game()), none(flat.game());
    corrections.learn(position, 400'000, 3);
    CHECK(corrections.of(position) > 0 && corrections.of(position) < 50);
    none.learn(flat, 500, 9);
    CHECK_EQUAL(none.of(flat), 0);
}
