#include "tactics/bitboard_threat_search.hpp"

#include <random>

#include "boards.hpp"
#include "check.hpp"
#include "tactics/threat_search.hpp"

using namespace noughts;
using namespace noughts::testing;

namespace {

bool wins(BitboardThreatSearch& search, const Position& position, Side attacker) {
    return search.search(position.marks(attacker).word(0), position.marks(opponent(attacker)).word(0), 100'000);
}

}  // namespace

TEST("the bitboard search wins exactly where the general one does, and every reply outside its zone loses") {
    const auto game = make(cube(4));
    BitboardThreatSearch fast(*game);
    ThreatSearch slow(*game);
    std::mt19937 random(3);
    int won = 0;
    for (int round = 0; round < 300; ++round) {
        Position position(game);
        if (!play_randomly(position, 64 - 16, random)) continue;
        if (winning_move(position) != NO_CELL || threat_against(position).count > 0) continue;
        const Side attacker = position.turn(), defender = opponent(attacker);
        const bool is_won = wins(fast, position, attacker);
        CHECK_EQUAL(is_won, slow.search(position, 1'000'000) > 0);
        if (!is_won) continue;
        // Now the defender is to move: after a reply outside the zone the attacker still wins by force.
        position.pass();
        if (winning_move(position) != NO_CELL) continue;
        ++won;
        const Word zone = fast.defence_zone(position.marks(attacker).word(0), position.marks(defender).word(0));
        position.empty_cells().for_each([&](Cell cell) {
            if (contains(zone, cell)) return;
            const ScopedMove reply(position, cell);
            CHECK(wins(fast, position, attacker));
        });
    }
    CHECK(won > 10);
}
