#include "envs/batch.hpp"

#include <algorithm>
#include <vector>

#include "boards.hpp"
#include "check.hpp"

using namespace noughts;
using namespace noughts::testing;

namespace {

constexpr int SIZE = 300;

std::vector<std::int64_t> random_moves(Batch& batch) {
    std::vector<std::int64_t> moves(static_cast<std::size_t>(batch.size()));
    batch.choose_randomly(moves);
    return moves;
}

void step_randomly(Batch& batch, int steps) {
    for (int step = 0; step < steps; ++step) CHECK_EQUAL(batch.step(random_moves(batch), {}), Batch::NONE);
}

template <typename Item>
bool equal(std::span<Item> a, std::span<Item> b) {
    return std::ranges::equal(a, b);
}

bool same(const Batch& a, const Batch& b) {
    const BatchArrays &x = a.arrays(), &y = b.arrays();
    return equal(x.observations, y.observations) && equal(x.masks, y.masks) && equal(x.rewards, y.rewards) &&
           equal(x.terminated, y.terminated) && equal(x.to_move, y.to_move);
}

}  // namespace

TEST("a batch plays the same with one thread and with several") {
    for (const GameData& data : {board(3, 3, 3), board(7, 6, 4, false, true), ultimate(3)}) {
        Batch one(make(data), SIZE, 7, 1), four(make(data), SIZE, 7, 4);
        for (int step = 0; step < fewer(200); ++step) {
            step_randomly(one, 1);
            step_randomly(four, 1);
            CHECK(same(one, four));
        }
    }
}

TEST("a batch with an illegal move plays nothing, with several threads") {
    Batch batch(make(board(3, 3, 3)), SIZE, 1, 4);
    step_randomly(batch, 3);
    const Batch before(batch);
    auto moves = random_moves(batch);
    const std::int64_t taken = batch.position(200).move_at(0);
    moves[200] = batch.position(200).ply() > 0 ? taken : -1;
    moves[299] = 9;
    CHECK_EQUAL(batch.step(moves, {}), 200);
    CHECK(same(batch, before));
}

TEST("rewound positions equal new ones") {
    for (const GameData& data : {board(5, 5, 4, true), board(7, 6, 4, false, true), ultimate(3), board(15, 15, 5)}) {
        std::mt19937 random(3);
        const auto game = make(data);
        const Position start(game);
        Position used(game);
        for (int round = 0; round < 5; ++round) {
            play_randomly(used, 0, random);
            used.rewind(start);
            std::mt19937 same_moves(round);
            Position fresh(game);
            std::mt19937 moves = same_moves;
            play_randomly(fresh, 0, moves);
            play_randomly(used, 0, same_moves);
            CHECK_EQUAL(used.hash(), fresh.hash());
            CHECK_EQUAL(used.key(), fresh.key());
            CHECK_EQUAL(used.score(), fresh.score());
            CHECK_EQUAL(used.winner(), fresh.winner());
            while (used.ply() > 0) used.undo();
            CHECK_EQUAL(used.hash(), start.hash());
            CHECK_EQUAL(used.score(), start.score());
            CHECK(std::ranges::equal(used.lines(), start.lines()));
        }
    }
}

TEST("rollouts leave a batch as it was") {
    Batch batch(make(ultimate(3)), SIZE, 5, 2);
    step_randomly(batch, 20);
    const Batch before(batch);
    std::vector<float> results(SIZE, 9);
    batch.roll_out(results);
    CHECK(same(batch, before));
    CHECK(std::ranges::all_of(results, [](float result) { return result == 1 || result == 0 || result == -1; }));
}

TEST("playthroughs begin at the starts in turn") {
    const auto game = make(board(3, 3, 3));
    const std::vector<Position> starts = {
        Position(game, std::vector<int>{0, -1, -1, -1, 1, -1, -1, -1, -1}, X, NO_BLOCK, {}),
        Position(game, std::vector<int>{0, -1, -1, -1, -1, -1, -1, -1, -1}, O, NO_BLOCK, {}),
        Position(game),
    };
    Batch batch(game, 2, 1, 1);
    batch.set_starts(starts);
    std::vector<int> next = {0, 1};
    for (int step = 0; step < 100; ++step) {
        for (int index : {0, 1}) {
            CHECK_EQUAL(batch.start_of(index), next[index]);
            if (batch.position(index).ply() == 0) CHECK_EQUAL(batch.position(index).hash(), starts[next[index]].hash());
        }
        step_randomly(batch, 1);
        for (int index : {0, 1})
            if (batch.arrays().terminated[index]) next[index] = (next[index] + 2) % 3;
    }
    batch.restart(std::vector<std::uint8_t>{1, 0});
    CHECK_EQUAL(batch.start_of(0), (next[0] + 2) % 3);
    CHECK_EQUAL(batch.start_of(1), next[1]);
    CHECK_EQUAL(batch.position(0).ply(), 0);
}

TEST("bits of observations are the bytes of planes") {
    for (const GameData& data : {board(3, 3, 3), board(7, 6, 4, false, true), board(15, 15, 5), ultimate(3)}) {
        Batch bytes(make(data), SIZE, 7, 2), bits(make(data), SIZE, 7, 2, ObservationKind::BITS),
            none(make(data), SIZE, 7, 2, ObservationKind::NONE);
        const auto cells = static_cast<std::size_t>(bytes.game().cells()), width = (cells + 7) / 8;
        CHECK_EQUAL(none.arrays().observations.size(), 0u);
        for (int step = 0; step < fewer(100); ++step) {
            for (Batch* batch : {&bytes, &bits, &none}) step_randomly(*batch, 1);
            CHECK(equal(bytes.arrays().masks, bits.arrays().masks) && equal(bytes.arrays().masks, none.arrays().masks));
            const auto expected = bytes.arrays().observations, found = bits.arrays().observations;
            bool agree = true;
            for (std::size_t at = 0; at < expected.size(); ++at)
                agree &= expected[at] == (found[at / cells * width + at % cells / 8] >> (at % cells % 8) & 1);
            CHECK(agree);
        }
    }
}

TEST("illegal moves that lose end their playthroughs only") {
    Batch batch(make(board(3, 3, 3)), 3, 1, 1);
    CHECK_EQUAL(batch.step(std::vector<std::int64_t>{4, 4, 4}, {}), Batch::NONE);
    CHECK_EQUAL(batch.step(std::vector<std::int64_t>{4, 0, 9}, {}, IllegalMoves::LOSE), Batch::NONE);
    const BatchArrays& found = batch.arrays();
    CHECK(std::ranges::equal(found.terminated, std::vector<std::uint8_t>{1, 0, 1}));
    CHECK(std::ranges::equal(found.rewards, std::vector<float>{-1, 0, -1}));
    CHECK(std::ranges::equal(found.to_move, std::vector<std::int8_t>{0, 0, 0}));
    CHECK_EQUAL(found.final_observations[9 * OPPONENT_MARKS + 4], 1);
    CHECK_EQUAL(batch.position(1).ply(), 2);
}
