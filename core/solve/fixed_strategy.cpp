#include "solve/fixed_strategy.hpp"

#include <bit>

namespace noughts {

FixedStrategy::FixedStrategy(const Game& game)
    : board_(game), patterns_(game, board_.bit_of), seen_(4 * MOST_POSITIONS) {}

bool FixedStrategy::play_out(const Position& position, Side prover, int goal, const std::vector<StrategyItem>& items) {
    const auto bit_at = [&](Cell cell) { return cell == NO_CELL ? Word{0} : bit(board_.bit_of[cell]); };
    items_.clear();
    for (const StrategyItem& item : items) items_.push_back({bit_at(item.cell), bit_at(item.partner)});
    goal_ = goal;
    positions_ = 0;
    turns_.clear();
    ++epoch_;
    const Word own = board_.to_bits(position, prover), rival = board_.to_bits(position, opponent(prover));
    if (position.turn() != prover) return explore(own, rival);
    return answer(own, rival, board_.playable(own | rival), patterns_.completing(own), 0);
}

std::vector<StrategyItem> FixedStrategy::used_items() const {
    std::vector<StrategyItem> used;
    for (const Item& item : items_)
        if (item.used) used.push_back({cell_of(item.cell), cell_of(item.partner)});
    return used;
}

// The rival is to move.
bool FixedStrategy::explore(Word own, Word rival) {
    if (!insert(own, rival)) return true;
    if (++positions_ > MOST_POSITIONS) return fail(0, 0);
    const Word filled = own | rival, playable = board_.playable(filled);
    const Word own_completing = patterns_.completing(own);
    if (const Word lost = patterns_.completing(rival) & playable) return fail(lost & -lost, 0);
    for (Word replies = playable; replies; replies &= replies - 1) {
        const Word reply = replies & -replies;
        const Word next = board_.playable(filled | reply);
        if (next == 0 ? !accept_draw(reply, 0) : !answer(own, rival | reply, next, own_completing, reply)) return false;
    }
    return true;
}

// The prover is to move.
bool FixedStrategy::answer(Word own, Word rival, Word playable, Word own_completing, Word reply) {
    if (own_completing & playable) return true;
    const Word move = choose(own | rival, playable, patterns_.completing(rival));
    if (move == 0) return fail(reply, 0);
    if (board_.playable(own | rival | move) == 0) return accept_draw(reply, move);
    turns_.push_back({cell_of(reply), cell_of(move)});
    const bool reached = explore(own | move, rival);
    turns_.pop_back();
    return reached;
}

Word FixedStrategy::choose(Word filled, Word playable, Word rival_completing) {
    if (const Word threats = rival_completing & playable) return has_several(threats) ? 0 : threats;
    for (Item& item : items_)
        for (const auto& [cell, partner] : {std::pair{item.cell, item.partner}, std::pair{item.partner, item.cell}})
            if ((cell & playable) && !(partner & ~filled) && !(rival_completing & board_.playable(filled | cell))) {
                item.used = true;
                return cell;
            }
    return 0;
}

// Whether the position is new.
bool FixedStrategy::insert(Word own, Word rival) {
    for (std::size_t at = mix(own ^ mix(rival)) % seen_.size();; at = (at + 1) % seen_.size()) {
        Slot& slot = seen_[at];
        if (slot.epoch != epoch_) {
            slot = {own, rival, epoch_};
            return true;
        }
        if (slot.own == own && slot.rival == rival) return false;
    }
}

bool FixedStrategy::fail(Word reply, Word move) {
    failure_ = turns_;
    failure_.push_back({cell_of(reply), cell_of(move)});
    return false;
}

}  // namespace noughts
