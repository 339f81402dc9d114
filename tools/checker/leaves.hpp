// Leaves that need no moves: arguments why the opponent cannot complete a line from a position.
#pragma once

#include "rules.hpp"

template <std::size_t N>
struct Leaf {
    using Set = std::bitset<N>;

    const Rules<N>& rules;
    const Position<N>& position;
    int prover;

    void check_pairing(Cursor& in) const {
        expect(rules.is_static(), "a game in which pairings are valid");
        Set free = rules.board & ~position.marked();
        Cells partners(static_cast<std::size_t>(rules.game.cells), -1);
        while (!in.is_at_end()) {
            in.require(' ');
            const int a = take_cell(in, free);
            in.require('-');
            const int b = take_cell(in, free);
            partners[a] = b;
            partners[b] = a;
        }
        for_each_open_line([&](const Line& line, const Set& cells) {
            const auto has_partner = [&](int cell) { return partners[cell] >= 0 && cells[partners[cell]]; };
            expect(std::ranges::any_of(line.cells, has_partner), "a pair on every line open to the opponent");
        });
    }

    void check_sum() const {
        expect(rules.is_static(), "a game in which the Erdős–Selfridge sum is valid");
        std::uint64_t weight = 0;
        const std::uint64_t one = std::uint64_t{1} << MAX_LINE_LENGTH;
        for_each_open_line([&](const Line&, const Set& cells) {
            weight += one >> (cells & ~position.marks[1 - prover]).count() << (position.turn() != prover);
        });
        expect(weight < one, "a smaller Erdős–Selfridge sum");
    }

    void check_stealing() const {
        expect(rules.is_monotone(), "a game in which strategy stealing is valid");
        expect(position.marked().none() && prover == X, "strategy stealing only as X, on the empty board");
    }

    void check_dominated(int cell, int by) const {
        expect(rules.is_monotone(), "a game in which replies can be dominated");
        for (const std::size_t index : rules.through[cell]) {
            const Set& line = rules.lines[index].cells;
            const bool is_dead = (line & position.marks[X]).any() && (line & position.marks[O]).any();
            expect(is_dead || line[by], "the dominating reply on every open line of the other");
        }
    }

  private:
    int take_cell(Cursor& in, Set& free) const {
        const int cell = in.number();
        expect(cell < rules.game.cells && free[cell], "an empty cell that is not used yet");
        free.reset(cell);
        return cell;
    }

    // Visits the lines without a mark of the prover and without one of the opponent on a guard.
    template <class Visit>
    void for_each_open_line(Visit visit) const {
        for (std::size_t i = 0; i < rules.lines.size(); ++i) {
            const auto& [cells, guards] = rules.lines[i];
            if ((cells & position.marks[prover]).none() && (guards & position.marks[1 - prover]).none())
                visit(rules.game.lines[i], cells);
        }
    }
};
