// Plays a fixed strategy of the prover out against every reply.
#pragma once

#include <unordered_set>

#include "rules.hpp"

template <std::size_t N>
class FixedStrategy {
  public:
    FixedStrategy(const Rules<N>& rules, int prover, bool wants_win)
        : rules_(rules), prover_(prover), wants_win_(wants_win) {
        expect(rules.wins_by_lines(), "a game in which fixed strategies are valid");
    }

    void read(Cursor& in) {
        while (in.accept(' ')) {
            const int a = in.number(), b = in.accept('-') ? in.number() : -1;
            expect(std::max(a, b) < rules_.game.cells && a != b, "items of cells or of pairs of different cells");
            items_.emplace_back(a, b < 0 ? a : b);
        }
        for (int cell = 0; cell < rules_.game.cells; ++cell) items_.emplace_back(cell, cell);
    }

    // Returns the number of positions with the opponent to move.
    std::size_t play_out(const Position<N>& start) {
        follow(start, NOT_OVER);
        while (!waiting_.empty()) {
            const Position<N> position = waiting_.back();
            waiting_.pop_back();
            for_each(rules_.legal(position), [&](int reply) {
                Position<N> next = position;
                const int ending = rules_.play(next, reply);
                follow(next, ending);
            });
        }
        return tried_.size();
    }

  private:
    static constexpr std::size_t MAX_POSITIONS = 16'384;

    struct Hash {
        std::size_t operator()(const Position<N>& position) const {
            const std::hash<std::bitset<N>> hash;
            return hash(position.marks[X]) * 31 + hash(position.marks[O]);
        }
    };

    // Plays the prover's move if it is to move, and puts the position on the list of those to try.
    void follow(Position<N> position, int ending) {
        if (ending == NOT_OVER && position.turn() == prover_) ending = rules_.play(position, choose(position));
        if (ending == prover_ || (ending == DRAW && !wants_win_)) return;
        expect(ending == NOT_OVER, "a strategy that reaches its goal");
        if (tried_.insert(position).second) waiting_.push_back(position);
        expect(tried_.size() <= MAX_POSITIONS, "at most 16384 positions of a strategy");
    }

    int choose(const Position<N>& position) const {
        const std::bitset<N> wins = completing(position, prover_), threats = completing(position, 1 - prover_);
        if (wins.any()) return first_of(wins);
        expect(has_at_most<1>(threats), "a strategy that faces at most one threat");
        if (threats.any()) return first_of(threats);
        const std::bitset<N> legal = rules_.legal(position), marked = position.marked();
        for (const auto& [a, b] : items_)
            for (const auto& [cell, other] : {std::pair(a, b), std::pair(b, a)})
                if (legal[cell] && (cell == other || marked[other]) && is_safe(position, cell)) return cell;
        reject("a strategy with an item that applies and is safe");
    }

    bool is_safe(Position<N> position, int cell) const {
        position.marks[prover_].set(cell);
        return completing(position, 1 - prover_).none();
    }

    // The legal cells that complete a line of a side.
    std::bitset<N> completing(const Position<N>& position, int side) const {
        std::bitset<N> found;
        for_each(rules_.legal(position), [&](int cell) {
            found[cell] = rules_.completes(std::bitset<N>(position.marks[side]).set(cell), cell);
        });
        return found;
    }

    const Rules<N>& rules_;
    int prover_;
    bool wants_win_;
    std::vector<std::pair<int, int>> items_;
    std::unordered_set<Position<N>, Hash> tried_;
    std::vector<Position<N>> waiting_;
};
