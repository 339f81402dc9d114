// Wins by threats and threats of a fork that are checked by the rules, so that they can be part of a proof.
#pragma once

#include <optional>

#include "tactics/forced_win.hpp"
#include "tactics/fork_threat_search.hpp"

namespace noughts {

// ForkThreatSearch identifies positions by 64-bit hashes, so its results are not proofs. This class plays each win that
// it finds out against all replies. Each of the attacker's moves either makes a threat, which leaves one reply, or
// would be followed by a forced win if the defender passed; then only the replies in the defence zone of that win must
// be answered.
class ForkWin {
  public:
    explicit ForkWin(const Game& game);

    // Whether there is a threat map for the game.
    static bool supports(const Game& game) { return ThreatMap::supports(game); }

    // Whether the side to move wins by threats and threats of a fork; the search tries at most `nodes` moves. True is a
    // proof. The game must be supported, and the position must not be over.
    bool find(Position& position, int nodes);
    Cell move() const { return move_; }  // the first move of the last win

  private:
    bool is_won(Position& position);               // with the attacker to move
    bool is_won_after_attack(Position& position);  // with the defender to move
    // With the defender to move, if the attacker's last move made no threat.
    bool wins_against_zone(Position& position);

    ForcedWin forced_win_;
    ForkThreatSearch search_;
    std::optional<ThreatMap> map_;
    Cell move_ = NO_CELL;
    int checked_ = 0;  // number of positions played out so far
};

}  // namespace noughts
