#include "tactics/threat_search.hpp"

#include <random>

#include "boards.hpp"
#include "check.hpp"

using namespace noughts;
using namespace noughts::testing;

TEST("a win by threats can be played out: every reply is forced, and the last move completes a line") {
    for (auto data : {board(6, 6, 4), cube(4), board(7, 6, 4, false, true), board(6, 6, 4, true)}) {
        const auto game = make(std::move(data));
        ThreatSearch search(*game);
        std::mt19937 random(1);
        int won = 0;
        for (int round = 0; round < fewer(300); ++round) {
            Position position(game);
            if (!play_randomly(position, game->cells() * 3 / 4, random)) continue;
            const Side attacker = position.turn();
            const int plies = search.search(position, 10'000);
            if (plies == 0) continue;
            ++won;
            CHECK_EQUAL(static_cast<int>(search.sequence().size()), plies);
            for (Cell cell : search.sequence()) {
                if (position.turn() != attacker) {
                    CHECK_EQUAL(winning_move(position), NO_CELL);
                    CHECK(threat_against(position).count > 0);
                }
                CHECK(position.is_legal(cell));
                position.play(cell);
            }
            CHECK_EQUAL(position.winner(), attacker);
        }
        CHECK(won > 0);
    }
}

TEST("every reply outside the zone of a forced win loses to it, with guards too") {
    for (auto data : {board(6, 6, 4), board(6, 6, 4, true)}) {
        const auto game = make(std::move(data));
        ThreatSearch search(*game);
        std::mt19937 random(2);
        int won = 0;
        for (int round = 0; round < fewer(300); ++round) {
            Position position(game);
            if (!play_randomly(position, 26, random)) continue;
            if (winning_move(position) != NO_CELL || threat_against(position).count > 0) continue;
            if (search.search(position, 10'000) == 0) continue;
            const CellSet zone = defence_zone(position, search.sequence());
            ++won;
            position.pass();
            position.empty_cells().for_each([&](Cell cell) {
                if (zone.contains(cell)) return;
                const ScopedMove reply(position, cell);
                CHECK(search.search(position, 10'000) > 0);
            });
        }
        CHECK(won > 0);
    }
}

TEST("on a large board a search that ran out of moves is repeated only with more of them") {
    const auto game = make(board(12, 12, 5));
    std::mt19937 random(4);
    int cut_short = 0;
    for (int round = 0; round < 200; ++round) {
        Position position(game);
        if (!play_randomly(position, 90, random)) continue;
        ThreatSearch search(*game);
        if (search.search(position, 6) > 0 || search.played() < 6) continue;
        ++cut_short;
        for (int nodes : {3, 6}) {
            CHECK_EQUAL(search.search(position, nodes), 0);
            CHECK_EQUAL(search.played(), std::uint64_t{0});
        }
        search.search(position, 20);
        CHECK(search.played() > 0);
    }
    CHECK(cut_short > 0);
}
