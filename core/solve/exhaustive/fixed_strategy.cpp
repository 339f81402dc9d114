#include "solve/exhaustive/fixed_strategy.hpp"

namespace noughts {
namespace {

constexpr std::size_t FIRST_SLOTS = 1 << 10;

}  // namespace

FixedStrategy::FixedStrategy(const Game& game) : board_(game), patterns_(game, board_.bit_of) {}

bool FixedStrategy::play_out(const Position& position, Side prover, int goal, const std::vector<Cell>& order) {
    order_ = order;
    for (std::size_t i = 0; i < order.size(); ++i) rank_[board_.bit_of[order[i]]] = static_cast<int>(i);
    goal_ = goal;
    used_ = 0;
    positions_ = 0;
    turns_.clear();
    seen_.assign(FIRST_SLOTS, {});
    const Word own = board_.to_bits(position, prover), rival = board_.to_bits(position, opponent(prover));
    if (position.turn() != prover) return explore(own, rival);
    return answer(own, rival, board_.playable(own | rival), patterns_.completing(own), 0);
}

std::vector<Cell> FixedStrategy::used_cells() const {
    std::vector<Cell> used;
    for (const Cell cell : order_)
        if (used_ & bit(board_.bit_of[cell])) used.push_back(cell);
    return used;
}

// Plays on with the rival to move. Returns whether the prover reaches the goal against every reply.
bool FixedStrategy::explore(Word own, Word rival) {
    if (!insert({own, rival})) return true;
    if (++positions_ > MOST_POSITIONS) return fail(0, 0);
    if (2 * positions_ > seen_.size()) grow();
    const Word playable = board_.playable(own | rival), own_completing = patterns_.completing(own);
    if (const Word lost = patterns_.completing(rival) & playable) return fail(lost & -lost, 0);
    const Word killer = killers_[turns_.size()] & playable;
    if (killer && !explore_after(killer, own, rival, own_completing)) return false;
    for (Word replies = playable & ~killer; replies; replies &= replies - 1)
        if (!explore_after(replies & -replies, own, rival, own_completing)) return false;
    return true;
}

bool FixedStrategy::explore_after(Word reply, Word own, Word rival, Word own_completing) {
    const Word playable = board_.playable(own | rival | reply);
    return playable == 0 ? accept_draw(reply, 0) : answer(own, rival | reply, playable, own_completing, reply);
}

// Plays the prover's answer to `reply`, and explores the position after it.
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
    Word best = 0;
    for (Word cells = playable; cells; cells &= cells - 1) {
        const Word cell = cells & -cells;
        if (best && rank_[std::countr_zero(cell)] > rank_[std::countr_zero(best)]) continue;
        if (!(rival_completing & board_.playable(filled | cell))) best = cell;
    }
    used_ |= best;
    return best;
}

// Adds a position to those seen; returns whether it is new.
bool FixedStrategy::insert(const Slot& position) {
    for (std::size_t at = mix(position.own ^ mix(position.rival));; ++at) {
        Slot& slot = seen_[at & (seen_.size() - 1)];
        if (slot == position) return false;
        if (slot != Slot{}) continue;
        slot = position;
        return true;
    }
}

void FixedStrategy::grow() {
    std::vector<Slot> old(4 * seen_.size());
    old.swap(seen_);
    for (const Slot& slot : old)
        if (slot != Slot{}) insert(slot);
}

bool FixedStrategy::fail(Word reply, Word move) {
    failure_ = turns_;
    failure_.push_back({cell_of(reply), cell_of(move)});
    for (std::size_t i = 0; i < failure_.size(); ++i) killers_[i] = bit_at(failure_[i].reply);
    return false;
}

}  // namespace noughts
