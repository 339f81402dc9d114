#include "tactics/static_win.hpp"

#include <random>

#include "boards.hpp"
#include "check.hpp"
#include "positions.hpp"
#include "tactics/fork_defence.hpp"
#include "tactics/threats.hpp"

using namespace noughts;
using namespace noughts::testing;

namespace {

struct Fired {
    int in_three = 0, by_four_three = 0, by_double_three = 0, on_forced = 0, defences = 0;
};

void check_win(Position& position, const ThreatMap& map, const StaticWin& win, BruteForceWins& wins, Fired& fired) {
    if (win.plies == 0) return;
    CHECK(wins.with_move(position, win.move, win.plies));
    const CellClass made = map.of(position.turn(), win.move);
    fired.in_three += win.plies == 3;
    fired.by_four_three += made == CellClass::FOUR_THREE;
    fired.by_double_three += made == CellClass::DOUBLE_THREE;
}

// Checks that there is a win in three plies exactly if there is a DOUBLE_FOUR.
void check_quiet_position(Position& position, const ThreatMap& map, Fired& fired) {
    const StaticWin win = static_win(position, map);
    BruteForceWins wins;
    CHECK_EQUAL(win.plies == 3, wins.within(position, 3));
    check_win(position, map, win, wins, fired);
    const Side rival = opponent(position.turn());
    const bool forked = map.has(rival, class_set(CellClass::DOUBLE_FOUR));
    CHECK_EQUAL(forked, ForkDefence(position.game()).find(position));
    if (forked || win.plies > 0) return;
    StaticDefence defence(position.game());
    if (!defence.find(position, map)) return;
    ++fired.defences;
    for (Cell cell : legal_moves(position)) {
        if (defence.replies().contains(cell)) continue;
        const ScopedMove move(position, cell);
        CHECK(wins.within(position, 5));
    }
}

Fired check_random_positions(const std::shared_ptr<const Game>& game, int least_free, int most_free, int positions) {
    Fired fired;
    std::mt19937 random(3);
    Position start(game);
    auto map = ThreatMap::of(start);
    for (int i = 0; i < fewer(positions); ++i) {
        const int free = least_free + static_cast<int>(random() % (most_free - least_free + 1));
        Position position = random_ending(game, free, random);
        if (position.is_over() || winning_move(position) != NO_CELL) continue;
        map->reset(position);
        const Threat threat = threat_against(position);
        if (threat.count == 0) check_quiet_position(position, *map, fired);
        if (threat.count != 1) continue;
        const StaticWin win = static_win_on(position, *map, threat.cell);
        fired.on_forced += win.plies > 0;
        BruteForceWins wins;
        check_win(position, *map, win, wins, fired);
    }
    return fired;
}

}  // namespace

TEST("static wins are wins, and moves that are no defence against them lose") {
    struct Case {
        GameData data;
        int least_free, most_free, positions;
    };
    Fired all;
    for (auto& [data, least, most, positions] :
         {Case{board(7, 7, 4), 25, 41, 800}, Case{board(8, 8, 5), 24, 50, 1500}, Case{board(6, 6, 4), 14, 30, 800},
          Case{board(7, 7, 4, true), 22, 41, 800}, Case{board(8, 8, 5, true), 24, 48, 1000},
          Case{board(9, 3, 3), 18, 25, 300}}) {
        const Fired fired = check_random_positions(make(data), least, most, positions);
        all.in_three += fired.in_three;
        all.by_four_three += fired.by_four_three;
        all.by_double_three += fired.by_double_three;
        all.on_forced += fired.on_forced;
        all.defences += fired.defences;
    }
    CHECK(all.in_three > 0);
    CHECK(all.by_four_three > 0);
    CHECK(all.by_double_three > 0);
    CHECK(all.on_forced > 0);
    CHECK(all.defences > 0);
}
