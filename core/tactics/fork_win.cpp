#include "tactics/fork_win.hpp"

namespace noughts {
namespace {

constexpr std::size_t TABLE_ENTRIES = std::size_t{1} << 15;
constexpr int THREAT_AFTER_PASS_NODES = 200;
constexpr int MOST_CHECKED = 1'000;  // most wins have about twenty positions

}  // namespace

ForkWin::ForkWin(const Game& game) : forced_win_(game), search_(game, TABLE_ENTRIES) {}

bool ForkWin::find(Position& position, int nodes) {
    if (map_)
        map_->reset(position);
    else
        map_ = ThreatMap::of(position);
    if (search_.search(position, *map_, nodes) == 0) return false;
    move_ = search_.move();
    checked_ = 0;
    return is_won(position);
}

// Whether the attacker, who is to move, wins. Where threats alone win, no move of the fork search is needed, except
// that the first move must be known.
bool ForkWin::is_won(Position& position) {
    if (position.is_over() || ++checked_ > MOST_CHECKED) return false;
    const bool is_first = checked_ == 1;
    if (!is_first && forced_win_.find(position, position.turn(), THREAT_AFTER_PASS_NODES)) return true;
    const Threat threat = threat_against(position);
    const Cell attack = is_first ? move_ : search_.winning_attack(position);
    if (attack == NO_CELL || !position.is_legal(attack)) return false;
    if (threat.count > 1 || (threat.count == 1 && attack != threat.cell)) return false;
    const ScopedMove move(position, attack);
    return is_won_after_attack(position);
}

bool ForkWin::is_won_after_attack(Position& position) {
    if (position.is_over()) return position.winner() == opponent(position.turn());
    if (winning_move(position) != NO_CELL) return false;
    const Threat threat = threat_against(position);
    if (threat.count > 1) return true;
    if (threat.count == 0) return wins_against_zone(position);
    const ScopedMove reply(position, threat.cell);
    return is_won(position);
}

bool ForkWin::wins_against_zone(Position& position) {
    const Side attacker = opponent(position.turn());
    if (!forced_win_.find(position, attacker, THREAT_AFTER_PASS_NODES)) return false;
    CellSet zone = forced_win_.defence_zone(position, attacker);
    zone &= position.empty_cells();
    for (const Cell cell : zone) {
        const ScopedMove reply(position, cell);
        if (!is_won(position)) return false;
    }
    return true;
}

}  // namespace noughts
