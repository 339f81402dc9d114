// Forced wins in any flat game: on two words where the board is small enough, otherwise by the engine's own search.
#pragma once

#include <optional>
#include <vector>

#include "solve/draw_arguments.hpp"
#include "tactics/bitboard_threats.hpp"
#include "tactics/threats.hpp"

namespace noughts {

class Forcing {
  public:
    explicit Forcing(const Game& game);

    // Whether `attacker` wins by threats alone, were it to move. Games of one block without misère.
    bool wins(Position& position, Side attacker, int nodes);
    const std::vector<int>& attacks() const { return attacks_; }  // the attacker's moves of the last win

    // The last win was found though it is the defender's turn: where the defender must play. Not with gravity.
    void find_zone(Position& position, Side attacker, std::vector<Word>& zone);

  private:
    std::optional<Chains> chains_;
    std::optional<ForcedWin> forced_win_;
    std::vector<int> attacks_;
};

}  // namespace noughts
