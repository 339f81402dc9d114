#include "tactics/fork_threat_search.hpp"

#include <random>

#include "boards.hpp"
#include "check.hpp"
#include "positions.hpp"
#include "tactics/threat_search.hpp"

using namespace noughts;
using namespace noughts::testing;

namespace {

// Checks each win that the search claims in positions where threats alone do not win: it must be a win within the
// claimed number of plies. Returns the number of wins.
int check_wins(const std::shared_ptr<const Game>& game, int free, int positions) {
    std::mt19937 random(static_cast<unsigned>(free));
    ThreatSearch threats(*game);
    int wins = 0;
    for (int round = 0; round < fewer(positions); ++round) {
        Position position(game);
        if (!play_randomly(position, free, random) || threats.search(position, 10'000) > 0) continue;
        auto map = ThreatMap::of(position);
        ForkThreatSearch search(*game);
        const int plies = search.search(position, *map, 1 + static_cast<int>(random() % 1000));
        if (plies == 0) continue;
        ++wins;
        CHECK(BruteForceWins().with_move(position, search.move(), plies));
    }
    return wins;
}

// A board without some of its rows and without one kind of diagonals.
GameData sparse_board(int size, int k) {
    GameData data = board(size, size, k);
    std::erase_if(data.lines, [size](const LineData& line) {
        const int step = line.cells[1] - line.cells[0];
        return step == size - 1 || (step == 1 && line.cells[0] / size % 3 == 1);
    });
    return data;
}

}  // namespace

TEST("wins by threats and fork threats are true, and no longer than claimed") {
    CHECK(check_wins(make(board(5, 5, 4)), 17, 800) >= 20 / SLOWNESS);
    CHECK(check_wins(make(board(6, 5, 4)), 19, 500) >= 5 / SLOWNESS);
    CHECK(check_wins(make(board(6, 6, 4)), 21, 500) >= 2 / SLOWNESS);
    check_wins(make(board(8, 8, 5)), 22, 1000);
}

TEST("they are true with guards and on boards without some lines") {
    CHECK(check_wins(make(board(6, 6, 4, true)), 22, 1000) >= 5 / SLOWNESS);
    check_wins(make(board(8, 8, 5, true)), 22, 1000);
    CHECK(check_wins(make(sparse_board(6, 4)), 18, 1000) >= 5 / SLOWNESS);
}

TEST("a search with a larger budget continues, one with the same budget tries nothing, and the position is kept") {
    const auto game = make(board(10, 10, 5));
    std::mt19937 random(3);
    int continued = 0;
    for (int round = 0; round < 200; ++round) {
        Position position(game);
        if (!play_randomly(position, 70, random)) continue;
        auto map = ThreatMap::of(position);
        ForkThreatSearch search(*game);
        const std::uint64_t key = position.key();
        if (search.search(position, *map, 50) > 0 || search.played() < 50) continue;
        CHECK_EQUAL(search.search(position, *map, 50), 0);
        CHECK_EQUAL(search.played(), std::uint64_t{0});
        search.search(position, *map, 500);
        continued += search.played() > 0;
        CHECK_EQUAL(position.key(), key);
    }
    CHECK(continued > 0);
}

TEST("the line of a win is played out to a complete line") {
    const auto game = make(board(15, 15, 5));
    // X makes two open threes that cross.
    Position position = played(game, {112, 0, 113, 14, 126, 210});
    auto map = ThreatMap::of(position);
    ForkThreatSearch search(*game);
    const int plies = search.search(position, *map, 10'000);
    CHECK(plies > 0);
    const auto line = search.sequence(position);
    CHECK(!line.empty());
    CHECK_EQUAL(line.front(), search.move());
    CHECK(static_cast<int>(line.size()) <= plies);
}

TEST("searches of other positions do not hide a win") {
    const auto game = make(board(15, 15, 5));
    const auto after = [&](std::initializer_list<Cell> moves) {
        Position position(game);
        for (const Cell move : moves) position.play(move);
        return position;
    };
    ForkThreatSearch search(*game, std::size_t{1} << 20);
    const auto plies = [&](Position position) {
        auto map = ThreatMap::of(position);
        return search.search(position, *map, 20'000);
    };
    for (Position position :
         {after({98, 46, 110, 82, 112, 210}), after({98, 76, 112, 82, 128, 210}), after({68, 82, 98, 192, 112, 210})})
        plies(position);
    CHECK(plies(after({98, 46, 110, 82, 112, 126, 140, 210})) > 0);
}
