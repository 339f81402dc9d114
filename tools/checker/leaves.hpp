// Leaves that need no moves: arguments why the opponent cannot complete a line from a position.
#pragma once

#include <unordered_map>

#include "rules.hpp"

// The game within a set of a set matching: the opponent, to move first, wants all cells of a part.
struct PartGame {
    std::set<std::uint32_t> parts;                  // masks of cells of the set
    std::unordered_map<std::uint64_t, bool> known;  // by the cells of the prover and of the opponent

    bool prover_wins(std::uint32_t own, std::uint32_t other, std::uint32_t free) {
        if (std::ranges::any_of(parts, [&](std::uint32_t part) { return (part & ~other) == 0; })) return false;
        if (std::ranges::all_of(parts, [&](std::uint32_t part) { return (part & own) != 0; })) return true;
        const std::uint64_t key = std::uint64_t{own} << 32 | other;
        if (const auto entry = known.find(key); entry != known.end()) return entry->second;
        const bool is_prover_to_move = std::popcount(own) < std::popcount(other);
        bool wins = !is_prover_to_move || free == 0;
        for (std::uint32_t left = free; wins != is_prover_to_move && left != 0; left &= left - 1) {
            const std::uint32_t cell = left & -left;
            wins = is_prover_to_move ? prover_wins(own | cell, other, free & ~cell)
                                     : prover_wins(own, other | cell, free & ~cell);
        }
        return known[key] = wins;
    }
};

template <std::size_t N>
struct Leaf {
    const Rules<N>& rules;
    const Position<N>& position;
    int prover;

    // A pairing is a set matching of sets of two.
    void check_matching(Cursor& in, std::size_t largest_set) const {
        expect(rules.is_static(), "a game in which pairings and set matchings are valid");
        std::vector<Cells> sets;
        Set<N> free = rules.board & ~position.marked();
        while (in.accept(' ')) {
            sets.emplace_back();
            do {
                const int cell = in.number();
                expect(cell < rules.game.cells && free[cell], "an empty cell that is not used yet");
                free.reset(cell);
                sets.back().push_back(cell);
            } while (in.accept('-'));
            expect(sets.back().size() >= 2 && sets.back().size() <= largest_set, "pairs, or sets of 2 to 12 cells");
        }
        std::vector<PartGame> games(sets.size());
        for_each_open_line([&](const Set<N>& line) { assign(line, sets, games); });
        for (std::size_t i = 0; i < sets.size(); ++i)
            expect(games[i].prover_wins(0, 0, (1u << sets[i].size()) - 1), "a set where the prover stops every line");
    }

    void check_sum() const {
        expect(rules.is_static(), "a game in which the Erdős–Selfridge sum is valid");
        std::uint64_t weight = 0;
        const std::uint64_t one = std::uint64_t{1} << MAX_LINE_LENGTH;
        for_each_open_line([&](const Set<N>& cells) {
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
            const Set<N>& line = rules.lines[index].cells;
            const bool is_dead = (line & position.marks[X]).any() && (line & position.marks[O]).any();
            expect(is_dead || line[by], "the dominating reply on every open line of the other");
        }
    }

  private:
    // Adds the part of a line that is not paired to the game of the set that contains most of its cells.
    static void assign(const Set<N>& line, const std::vector<Cells>& sets, std::vector<PartGame>& games) {
        std::size_t best = 0;
        std::uint32_t best_part = 0;
        for (std::size_t i = 0; i < sets.size(); ++i) {
            std::uint32_t part = 0;
            for (std::size_t bit = 0; bit < sets[i].size(); ++bit) part |= std::uint32_t{line[sets[i][bit]]} << bit;
            if (sets[i].size() == 2 && part == 3) return;
            if (sets[i].size() == 2 || std::popcount(part) <= std::popcount(best_part)) continue;
            best = i;
            best_part = part;
        }
        expect(best_part != 0, "a set for every line open to the opponent");
        games[best].parts.insert(best_part);
    }

    // Visits the lines without a mark of the prover and without one of the opponent on a guard.
    template <class Visit>
    void for_each_open_line(Visit visit) const {
        for (const auto& [cells, guards] : rules.lines)
            if ((cells & position.marks[prover]).none() && (guards & position.marks[1 - prover]).none()) visit(cells);
    }
};
