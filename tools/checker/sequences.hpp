// Replays forced sequences: each move of the prover leaves the opponent one reply, until no reply helps.
#pragma once

#include <cstdint>
#include <span>

#include "rules.hpp"

namespace checker {

// `hopes` are the cells that would complete a line of the prover, `fears` those that would complete one of the
// opponent, both regardless of guards and of gravity.
template <int W>
struct Fight {
    CellSet<W> own, other, hopes, fears;
};

template <int W>
class Sequences {
  public:
    using Set = CellSet<W>;

    explicit Sequences(const Rules<W>& rules) : rules_(rules) {}

    Fight<W> start(const Set& own, const Set& other) const {
        Fight<W> fight{own, other, {}, {}};
        for (const auto& line : rules_.scanned) {
            add_missing<1>(line, own, other, fight.hopes);
            add_missing<1>(line, other, own, fight.fears);
        }
        return fight;
    }

    // Replays after a reply of the opponent; returns null if the prover wins, else the reason why not.
    const char* replay_after(int reply, Fight<W> fight, std::span<const int> sequence) {
        if (fight.fears.has(reply) && completing(Set::of(reply), fight.other).any())
            return "expected a reply that does not win, but it completes a line";
        ++positions;
        mark_other(fight, reply);
        return replay(fight, sequence, true);
    }

    // Replays with the prover to move. With `at_once` the first line that can be completed ends the sequence;
    // otherwise every move must be played.
    const char* replay(Fight<W> fight, std::span<const int> sequence, bool at_once) {
        Set free = rules_.board - (fight.own | fight.other), playable = rules_.playable(free);
        for (std::size_t i = 0; i < sequence.size(); ++i) {
            const int cell = sequence[i];
            Set wins = completing(fight.hopes & playable, fight.own);
            if (at_once && wins.any()) return nullptr;
            if (cell >= rules_.game.cells || !playable.has(cell)) return "expected a legal move in the sequence";
            ++positions;
            bool has_ended = wins.has(cell);
            free.remove(cell);
            mark_own(fight, cell);
            if (!has_ended) {
                playable = rules_.playable(free);
                if (completing(fight.fears & playable, fight.other).any())
                    return "expected no line open to the opponent, but one can be completed";
                wins = completing(fight.hopes & playable, fight.own);
                if (!wins.any()) return "expected a move that threatens a line";
                has_ended = wins.has_several();
            }
            if (has_ended)
                return at_once || i + 1 == sequence.size() ? nullptr : "expected the sequence to end earlier";
            ++positions;
            const int forced = wins.first();
            free.remove(forced);
            mark_other(fight, forced);
            playable = rules_.playable(free);
        }
        const bool wins = completing(fight.hopes & playable, fight.own).any();
        return wins ? nullptr : "expected a sequence that ends in a win, but it stops before";
    }

    // Replies after which the same moves win as if the opponent had passed; not necessarily all of them.
    Set indifferent(Fight<W> fight, std::span<const int> sequence) const {
        if (rules_.has_gravity || rules_.has_guards) return {};
        Set free = rules_.board - (fight.own | fight.other), matter = fight.fears;
        for (const auto& line : rules_.scanned) add_missing<2>(line, fight.other, fight.own, matter);
        Set replies = free - matter;
        for (const int cell : sequence) {
            if ((fight.hopes & free).any()) break;
            if (cell >= rules_.game.cells || !free.has(cell)) return {};
            free.remove(cell);
            mark_own(fight, cell);
            const Set wins = fight.hopes & free;
            if ((fight.fears & free).any() || !wins.any()) return {};
            replies.remove(cell);
            replies -= wins;
            if (wins.has_several()) return replies;
            const int forced = wins.first();
            free.remove(forced);
            mark_other(fight, forced);
            Set near;
            for (const std::uint32_t line : rules_.through[forced])
                add_missing<2>(rules_.scanned[line], fight.other, fight.own, near);
            replies -= near;
        }
        return (fight.hopes & free).any() ? replies - fight.hopes : Set{};
    }

    std::uint64_t positions = 0;

  private:
    // Adds the cells that a side lacks on a line without marks of the other side, if it lacks at most `LIMIT`.
    template <int LIMIT>
    static void add_missing(const ScannedLine<W>& line, const Set& own, const Set& other, Set& found) {
        if constexpr (W == 1) {
            const Set rest = line - own;
            const bool counts = static_cast<int>(!(line & other).any()) & rest.template has_at_most<LIMIT>();
            found.words[0] |= counts ? rest.words[0] : 0;  // without a branch, which would be hard to predict
        } else {
            std::array<int, LIMIT> missing;
            int count = 0;
            for (const int cell : line) {
                if (other.has(cell)) return;
                if (own.has(cell)) continue;
                if (count == LIMIT) return;
                missing[count++] = cell;
            }
            for (int i = 0; i < count; ++i) found.add(missing[i]);
        }
    }

    void mark_own(Fight<W>& fight, int cell) const {
        fight.own.add(cell);
        fight.hopes.remove(cell);
        fight.fears.remove(cell);
        for (const std::uint32_t line : rules_.through[cell])
            add_missing<1>(rules_.scanned[line], fight.own, fight.other, fight.hopes);
    }

    void mark_other(Fight<W>& fight, int cell) const {
        fight.other.add(cell);
        fight.hopes.remove(cell);
        fight.fears.remove(cell);
        for (const std::uint32_t line : rules_.through[cell])
            add_missing<1>(rules_.scanned[line], fight.other, fight.own, fight.fears);
    }

    // Those of the cells that complete a line that no guard spoils.
    Set completing(const Set& cells, Set own) const {
        if (!rules_.has_guards) return cells;
        Set found;
        cells.for_each([&](int cell) {
            const bool had = own.has(cell);
            own.add(cell);
            if (rules_.completes(own, cell)) found.add(cell);
            if (!had) own.remove(cell);
        });
        return found;
    }

    const Rules<W>& rules_;
};

}  // namespace checker
