#include "tactics/forced_win.hpp"

namespace noughts {
namespace {

// Gives the turn to a side, and restores the turn when it goes out of scope.
class ScopedTurn {
  public:
    ScopedTurn(Position& position, Side side) : position_(position), passed_(position.turn() != side) {
        if (passed_) position_.pass();
    }
    ~ScopedTurn() {
        if (passed_) position_.pass();
    }
    ScopedTurn(const ScopedTurn&) = delete;
    ScopedTurn& operator=(const ScopedTurn&) = delete;

  private:
    Position& position_;
    bool passed_;
};

}  // namespace

ForcedWin::ForcedWin(const Game& game) {
    if (BitboardThreatSearch::supports(game))
        bitboard_search_.emplace(game);
    else
        general_search_.emplace(game);
}

bool ForcedWin::find(Position& position, Side attacker, int nodes) {
    attacks_.clear();
    if (bitboard_search_) {
        if (!bitboard_search_->search(position.marks(attacker).word(0), position.marks(opponent(attacker)).word(0),
                                      nodes))
            return false;
        attacks_.assign(bitboard_search_->attacks().begin(), bitboard_search_->attacks().end());
        return true;
    }
    const ScopedTurn turn(position, attacker);
    if (general_search_->search(position, nodes) == 0) return false;
    const auto& line = general_search_->sequence();
    for (std::size_t i = 0; i < line.size(); i += 2) attacks_.push_back(line[i]);
    return true;
}

CellSet ForcedWin::defence_zone(Position& position, Side attacker) {
    if (bitboard_search_) {
        CellSet zone(position.game().cells());
        zone.set_word(0, bitboard_search_->defence_zone(position.marks(attacker).word(0),
                                                        position.marks(opponent(attacker)).word(0)));
        return zone;
    }
    const ScopedTurn turn(position, attacker);
    return noughts::defence_zone(position, general_search_->sequence());
}

}  // namespace noughts
