// Forced wins by threats in games of one block: uses the bitboard search where possible, else the general one.
#pragma once

#include <optional>
#include <vector>

#include "tactics/bitboard_threat_search.hpp"
#include "tactics/threat_search.hpp"

namespace noughts {

class ForcedWin {
  public:
    explicit ForcedWin(const Game& game);

    // Whether `attacker` would win by threats alone if it were its turn; tries at most `nodes` moves. For games of one
    // block without misère.
    bool find(Position& position, Side attacker, int nodes);
    const std::vector<Cell>& attacks() const { return attacks_; }  // the attacker's moves of the last win

    // The cells in which the defender, whose turn it is, must play to stop the last win. Not for games with gravity.
    CellSet defence_zone(Position& position, Side attacker);

  private:
    std::optional<BitboardThreatSearch> bitboard_search_;
    std::optional<ThreatSearch> general_search_;
    std::vector<Cell> attacks_;
};

}  // namespace noughts
