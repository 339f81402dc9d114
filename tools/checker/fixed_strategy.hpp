// Plays a fixed strategy of the prover out against every reply.
#pragma once

#include <unordered_set>

#include "fight.hpp"

template <std::size_t N>
class FixedStrategy {
  public:
    FixedStrategy(const Rules<N>& rules, Cursor& in, bool wants_win) : wants_win_(wants_win) {
        const int cells = rules.game.cells;
        most_positions_ = std::min(MAX_POSITIONS, MAX_REPLIES / cells);
        while (in.accept(' ')) {
            const int a = in.number(), b = in.accept('-') ? in.number() : -1;
            expect(std::max(a, b) < cells && a != b, "items of cells or of pairs of different cells");
            expect(items_.size() < MAX_ITEMS, "at most 4096 items");
            items_.emplace_back(a, b < 0 ? a : b);
        }
        for (int cell = 0; cell < cells; ++cell) items_.emplace_back(cell, cell);
    }

    // Returns the number of positions with the opponent to move.
    std::size_t play_out(const Fight<N>& start, bool is_prover_to_move) {
        is_prover_to_move ? answer(start) : enqueue(start);
        while (!waiting_.empty()) {
            const Fight<N> fight = waiting_.back();
            waiting_.pop_back();
            expect(fight.threats().none(), "a strategy that stops every line");
            for_each(fight.playable, [&](int reply) {
                Fight<N> next = fight;
                next.mark_other(reply);
                answer(next);
            });
        }
        return tried_.size();
    }

  private:
    static constexpr int MAX_POSITIONS = 1 << 14, MAX_REPLIES = 1 << 20, MAX_ITEMS = 4096;

    struct Hash {
        std::size_t operator()(const std::pair<std::bitset<N>, std::bitset<N>>& marks) const {
            const std::hash<std::bitset<N>> hash;
            return hash(marks.first) * 31 + hash(marks.second);
        }
    };

    // Adds a position with the opponent to move to those to try.
    void enqueue(const Fight<N>& fight) {
        if (fight.free.none()) return expect(!wants_win_, "a strategy that wins before the board is full");
        if (tried_.emplace(fight.own, fight.other).second) waiting_.push_back(fight);
        expect(tried_.size() <= most_positions_, "fewer positions of a strategy");
    }

    // Plays the prover's move.
    void answer(Fight<N> fight) {
        if (fight.wins().any()) return;
        if (fight.free.any()) fight.mark_own(choose(fight));
        enqueue(fight);
    }

    int choose(const Fight<N>& fight) const {
        const std::bitset<N> threats = fight.threats();
        expect(has_at_most<1>(threats), "a strategy that faces at most one threat");
        if (threats.any()) return first_of(threats);
        for (const auto& [a, b] : items_)
            for (const auto& [cell, partner] : {std::pair(a, b), std::pair(b, a)})
                if (fight.playable[cell] && (cell == partner || !fight.free[partner]) && is_safe(fight, cell))
                    return cell;
        reject("a strategy with an item that applies and is safe");
    }

    static bool is_safe(Fight<N> fight, int cell) {
        fight.mark_own(cell);
        return fight.threats().none();
    }

    bool wants_win_;
    std::size_t most_positions_;
    std::vector<std::pair<int, int>> items_;
    std::unordered_set<std::pair<std::bitset<N>, std::bitset<N>>, Hash> tried_;
    std::vector<Fight<N>> waiting_;
};
