// A position of a game that is won by lines, with the cells that complete them.
#pragma once

#include "rules.hpp"

template <std::size_t N>
struct Fight {
    using Set = std::bitset<N>;

    // `hopes` are the cells that would complete a line of the prover, `fears` those that would complete one of the
    // opponent, both regardless of guards and of gravity; `playable` are the empty cells that rest on filled ones.
    const Rules<N>* rules;
    Set own, other, free, playable, hopes, fears;

    Fight(const Rules<N>& game, const Position<N>& position, int prover)
        : rules(&game), own(position.marks[prover]), other(position.marks[1 - prover]) {
        free = rules->board & ~(own | other);
        playable = rules->playable(free);
        for (const auto& line : rules->lines) {
            add_missing<1>(line.cells, own, other, hopes);
            add_missing<1>(line.cells, other, own, fears);
        }
    }

    // The cells that complete a line now, of the prover or of the opponent.
    Set wins() const { return completing(hopes & playable, own); }
    Set threats() const { return completing(fears & playable, other); }

    void mark_own(int cell) { mark(cell, own, other, hopes); }
    void mark_other(int cell) { mark(cell, other, own, fears); }

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

  private:
    void mark(int cell, Set& mine, const Set& yours, Set& missing) {
        mine.set(cell);
        for (Set* set : {&free, &playable, &hopes, &fears}) set->reset(cell);
        for (const int above : rules->above[cell]) playable[above] = free[above] && (rules->below[above] & free).none();
        for (const std::size_t line : rules->through[cell])
            add_missing<1>(rules->lines[line].cells, mine, yours, missing);
    }

    // Those of the cells that complete a line that no guard spoils.
    Set completing(const Set& cells, const Set& marks) const {
        if (!rules->has_guards) return cells;
        Set found;
        for_each(cells, [&](int cell) { found[cell] = rules->completes(Set(marks).set(cell), cell); });
        return found;
    }
};
