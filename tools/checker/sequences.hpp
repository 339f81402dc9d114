// Replays forced sequences: each move of the prover leaves the opponent one reply, until no reply helps.
#pragma once

#include <span>

#include "rules.hpp"

// `hopes` are the cells that would complete a line of the prover, `fears` those that would complete one of the
// opponent, both regardless of guards and of gravity.
template <std::size_t N>
struct Fight {
    std::bitset<N> own, other, hopes, fears;
};

template <std::size_t N>
class Sequences {
  public:
    using Set = std::bitset<N>;

    explicit Sequences(const Rules<N>& rules) : rules_(rules) {}

    Fight<N> start(const Position<N>& position, int prover) const {
        Fight<N> fight{position.marks[prover], position.marks[1 - prover], {}, {}};
        for (const auto& line : rules_.lines) {
            add_missing<1>(line.cells, fight.own, fight.other, fight.hopes);
            add_missing<1>(line.cells, fight.other, fight.own, fight.fears);
        }
        return fight;
    }

    // Replays after a reply of the opponent; returns null if the prover wins, else the reason why not.
    const char* replay_after(int reply, Fight<N> fight, std::span<const int> sequence) {
        if (fight.fears[reply] && completing(Set().set(reply), fight.other).any())
            return "expected a reply that does not win, but it completes a line";
        ++positions;
        mark_other(fight, reply);
        return replay(fight, sequence, true);
    }

    // Replays with the prover to move. With `at_once` the first line that can be completed ends the sequence;
    // otherwise every move must be played.
    const char* replay(Fight<N> fight, std::span<const int> sequence, bool at_once) {
        Set free = rules_.board & ~(fight.own | fight.other), playable = rules_.playable(free);
        for (std::size_t i = 0; i < sequence.size(); ++i) {
            const int cell = sequence[i];
            Set wins = completing(fight.hopes & playable, fight.own);
            if (at_once && wins.any()) return nullptr;
            if (cell >= rules_.game.cells || !playable[cell]) return "expected a legal move in the sequence";
            ++positions;
            bool has_ended = wins[cell];
            free.reset(cell);
            mark_own(fight, cell);
            if (!has_ended) {
                playable = rules_.playable(free);
                if (completing(fight.fears & playable, fight.other).any())
                    return "expected no line open to the opponent, but one can be completed";
                wins = completing(fight.hopes & playable, fight.own);
                if (wins.none()) return "expected a move that threatens a line";
                has_ended = !has_at_most<1>(wins);
            }
            if (has_ended)
                return at_once || i + 1 == sequence.size() ? nullptr : "expected the sequence to end earlier";
            ++positions;
            const int forced = first_of(wins);
            free.reset(forced);
            mark_other(fight, forced);
            playable = rules_.playable(free);
        }
        const bool wins = completing(fight.hopes & playable, fight.own).any();
        return wins ? nullptr : "expected a sequence that ends in a win, but it stops before";
    }

    // Replies after which the same moves win as if the opponent had passed; not necessarily all of them.
    Set indifferent(Fight<N> fight, std::span<const int> sequence) const {
        if (rules_.has_gravity || rules_.has_guards) return {};
        Set free = rules_.board & ~(fight.own | fight.other), relevant = fight.fears;
        for (const auto& line : rules_.lines) add_missing<2>(line.cells, fight.other, fight.own, relevant);
        Set replies = free & ~relevant;
        for (const int cell : sequence) {
            if ((fight.hopes & free).any()) break;
            if (cell >= rules_.game.cells || !free[cell]) return {};
            free.reset(cell);
            mark_own(fight, cell);
            const Set wins = fight.hopes & free;
            if ((fight.fears & free).any() || wins.none()) return {};
            replies.reset(cell);
            replies &= ~wins;
            if (!has_at_most<1>(wins)) return replies;
            const int forced = first_of(wins);
            free.reset(forced);
            mark_other(fight, forced);
            Set near;
            for (const std::size_t line : rules_.through[forced])
                add_missing<2>(rules_.lines[line].cells, fight.other, fight.own, near);
            replies &= ~near;
        }
        return (fight.hopes & free).any() ? replies & ~fight.hopes : Set{};
    }

    std::uint64_t positions = 0;

  private:
    // Adds the cells that a side lacks on a line without marks of the other side, if it lacks at most `LIMIT`.
    template <int LIMIT>
    static void add_missing(const Set& line, const Set& own, const Set& other, Set& found) {
        const Set rest = line & ~own;
        const bool counts = static_cast<int>((line & other).none()) & has_at_most<LIMIT>(rest);
        if constexpr (N == 64)
            found |= Set(counts ? rest.to_ullong() : 0);  // without a branch, which would be hard to predict
        else if (counts)
            found |= rest;
    }

    void mark_own(Fight<N>& fight, int cell) const { mark(cell, fight, fight.own, fight.other, fight.hopes); }
    void mark_other(Fight<N>& fight, int cell) const { mark(cell, fight, fight.other, fight.own, fight.fears); }

    void mark(int cell, Fight<N>& fight, Set& own, const Set& other, Set& missing) const {
        own.set(cell);
        fight.hopes.reset(cell);
        fight.fears.reset(cell);
        for (const std::size_t line : rules_.through[cell])
            add_missing<1>(rules_.lines[line].cells, own, other, missing);
    }

    // Those of the cells that complete a line that no guard spoils.
    Set completing(const Set& cells, const Set& own) const {
        if (!rules_.has_guards) return cells;
        Set found;
        for_each(cells, [&](int cell) { found[cell] = rules_.completes(Set(own).set(cell), cell); });
        return found;
    }

    const Rules<N>& rules_;
};
