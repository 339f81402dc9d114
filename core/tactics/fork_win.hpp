// Wins by threats and threats of a fork that are checked by the rules, so that they may be part of a proof.
#pragma once

#include <optional>

#include "tactics/forced_win.hpp"
#include "tactics/fork_threat_search.hpp"

namespace noughts {

// ForkThreatSearch tells positions apart by a hash of 64 bits, so its results are not proofs. Here each win that it
// finds is played out against all replies. Each of the attacker's moves makes a threat, to which there is one reply, or
// would be followed by a forced win if the defender passed, to which only the replies in its defence zone are answers.
class ForkWin {
  public:
    explicit ForkWin(const Game& game);

    // Whether there is a threat map for the game.
    static bool supports(const Game& game) { return ThreatMap::supports(game); }

    // Whether the side to move wins by threats and threats of a fork; the search for them tries at most `nodes` moves.
    // True is a proof. The game must be supported, and the position must not be over.
    bool find(Position& position, int nodes);
    Cell move() const { return move_; }  // the first move of the last win

  private:
    bool is_won(Position& position);               // the attacker is to move
    bool is_won_after_attack(Position& position);  // the defender is
    bool wins_against_zone(Position& position);    // the same, if the attacker's last move made no threat

    ForcedWin forced_win_;
    ForkThreatSearch search_;
    std::optional<ThreatMap> map_;
    Cell move_ = NO_CELL;
    int checked_ = 0;  // positions of the win that is played out
};

}  // namespace noughts
