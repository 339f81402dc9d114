#include "tactics/forced_win.hpp"

namespace noughts {

Forcing::Forcing(const Game& game) {
    if (Chains::can_serve(game))
        chains_.emplace(game);
    else
        forced_win_.emplace(game);
}

bool Forcing::wins(Position& position, Side attacker, int nodes) {
    attacks_.clear();
    if (chains_) {
        if (!chains_->search(position.marks_word(attacker, 0), position.marks_word(1 - attacker, 0), nodes))
            return false;
        attacks_.assign(chains_->attacks().begin(), chains_->attacks().end());
        return true;
    }
    const bool must_pass = position.turn() != attacker;
    if (must_pass) position.pass();
    const bool won = forced_win_->search(position, nodes) > 0;
    if (must_pass) position.pass();
    for (std::size_t i = 0; i < forced_win_->line().size() && won; i += 2) attacks_.push_back(forced_win_->line()[i]);
    return won;
}

void Forcing::find_zone(Position& position, Side attacker, std::vector<Word>& zone) {
    if (chains_) {
        zone.assign(1, chains_->zone(position.marks_word(attacker, 0), position.marks_word(1 - attacker, 0)));
        return;
    }
    const bool must_pass = position.turn() != attacker;
    if (must_pass) position.pass();
    noughts::find_zone(position, forced_win_->line(), zone);
    if (must_pass) position.pass();
}

}  // namespace noughts
