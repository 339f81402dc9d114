#include "train/self_play.hpp"

#include <algorithm>
#include <atomic>
#include <vector>

#include "boards.hpp"
#include "check.hpp"

using namespace noughts;
using namespace noughts::testing;

namespace {

constexpr int ROW_BYTES = 16, PROVEN = 15, RESULT = 12;

std::vector<char> rows_of(const std::shared_ptr<const Game>& game, const SelfPlay& plan) {
    std::vector<char> rows;
    const auto take = [&rows](std::span<const char> some) { rows.insert(rows.end(), some.begin(), some.end()); };
    CHECK_EQUAL(self_play(game, plan, take, {}), plan.count);
    return rows;
}

}  // namespace

TEST("self-play on several threads depends on the seed and the number of a playthrough alone") {
    for (const GameData& data : {board(4, 4, 3), board(7, 6, 4, false, true), ultimate(2)}) {
        const auto game = make(data);
        const auto rows = rows_of(game, {.first = 3, .count = 8, .seed = 5, .nodes = 50, .threads = 3});
        auto parts = rows_of(game, {.first = 3, .count = 5, .seed = 5, .nodes = 50});
        const auto rest = rows_of(game, {.first = 8, .count = 3, .seed = 5, .nodes = 50, .threads = 2});
        parts.insert(parts.end(), rest.begin(), rest.end());
        CHECK(!rows.empty() && rows == parts);
        CHECK(rows != rows_of(game, {.first = 3, .count = 8, .seed = 6, .nodes = 50, .threads = 2}));
        CHECK_EQUAL(rows.size() % (ROW_BYTES + game->cells() + game->blocks()), std::size_t{0});
    }
}

TEST("self-play on a small board covers it to its end") {
    const auto game = make(board(4, 4, 4));
    const auto rows = rows_of(game, {.count = 40, .nodes = 300, .threads = 2});
    const std::size_t size = ROW_BYTES + game->cells() + game->blocks();
    std::vector<int> by_ply(game->cells(), 0);
    int proven = 0, known = 0;
    for (std::size_t at = 0; at < rows.size(); at += size) {
        ++by_ply[static_cast<unsigned char>(rows[at + 10])];
        proven += rows[at + PROVEN];
        known += rows[at + RESULT] != 2;
    }
    for (int ply = 0; ply < 13; ++ply) CHECK(by_ply[ply] > 0);
    CHECK(proven > 0 && known > 0);
}

TEST("self-play that is interrupted has taken the rows of the first playthroughs") {
    const auto game = make(board(7, 6, 4, false, true));
    std::atomic<int> taken = 0;
    std::vector<char> rows;
    const auto take = [&](std::span<const char> some) {
        rows.insert(rows.end(), some.begin(), some.end());
        ++taken;
    };
    const SelfPlay endless{.count = ~std::uint64_t{0}, .nodes = 200, .threads = 2};
    const auto count = self_play(game, endless, take, [&taken] { return taken >= 4; });
    CHECK(count >= 4 && static_cast<int>(count) == taken);
    CHECK(rows == rows_of(game, {.count = count, .nodes = 200}));
}

TEST("lasting playthroughs have no random moves after the opening, and no result against another evaluation") {
    const auto game = make(board(10, 10, 5));
    SelfPlay plan{.count = 6, .nodes = 100, .threads = 2, .lasting = true, .deep_nodes = 400};
    const std::size_t size = ROW_BYTES + game->cells() + game->blocks();
    const auto count_unknown = [&](const std::vector<char>& rows) {
        int unknown = 0;
        for (std::size_t at = 0; at < rows.size(); at += size) {
            CHECK(rows[at + 10] >= 2);
            unknown += rows[at + RESULT] == 2;
        }
        return unknown;
    };
    const auto alone = rows_of(game, plan);
    // One row in five is for a position after a random move, which is not part of the playthrough.
    CHECK(count_unknown(alone) > 0 && count_unknown(alone) * 4 < static_cast<int>(alone.size() / size));
    plan.opponents = {std::vector<std::uint8_t>{}};
    const auto rows = rows_of(game, plan);
    CHECK(count_unknown(rows) * 3 > static_cast<int>(rows.size() / size));
    plan.threads = 1;
    CHECK(rows == rows_of(game, plan));
}
