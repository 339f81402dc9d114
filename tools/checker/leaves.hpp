// Arguments that need no moves, why the opponent cannot fill one of the sets of cells that it needs for a line.
#pragma once

#include <unordered_map>

#include "rules.hpp"

// The game within a set of a set matching: the opponent, to move first, wants all cells of a part.
struct PartGame {
    std::vector<std::uint32_t> parts;                 // masks of cells of the set
    std::unordered_map<std::uint64_t, bool> known{};  // by the cells of the prover and of the opponent, who is to move

    bool prover_wins(std::uint32_t own, std::uint32_t other) {
        const auto [entry, is_new] = known.try_emplace(std::uint64_t{own} << 32 | other, true);
        bool& wins = entry->second;
        for (std::uint32_t left = is_new ? open_cells(own, other) : 0; wins && left != 0; left &= left - 1)
            wins = can_answer(own, other | (left & -left));
        return wins;
    }

    // The cells that the opponent lacks of parts without a cell of the prover.
    std::uint32_t open_cells(std::uint32_t own, std::uint32_t other) const {
        std::uint32_t cells = 0;
        for (const std::uint32_t part : parts) cells |= (part & own) == 0 ? part & ~other : 0;
        return cells;
    }

    // The prover must take the last cell of a part, and loses if there is none, or more than one such cell.
    bool can_answer(std::uint32_t own, std::uint32_t other) {
        std::uint32_t answers = open_cells(own, other);
        for (const std::uint32_t part : parts)
            if (const auto rest = part & ~other; (part & own) == 0 && (rest & (rest - 1)) == 0) answers &= rest;
        while (answers != 0 && !prover_wins(own | (answers & -answers), other)) answers &= answers - 1;
        return answers != 0;
    }
};

template <std::size_t N>
struct Leaf {
    const std::vector<Set<N>>& sets;
    bool is_prover_to_move;
    std::vector<Set<N>> pairs{}, larger{};  // that the node names

    // Checks a pairing, a set matching or a sum that names cells of `free`.
    void check(char kind, Set<N> free, Cursor& in) {
        expect(kind == 'p' || kind == 's' || (kind == 't' && in.peek() == ' '), "a known kind of node, t with a set");
        while (in.accept(' ')) {
            Set<N> named;
            do {
                const std::size_t cell = in.number();
                expect(cell < N && free[cell], "an empty cell that is not used yet");
                free[cell] = false;
                named[cell] = true;
            } while (in.accept('-'));
            const std::size_t size = named.count();
            expect(size >= 2 && size <= (kind == 't' ? MAX_NAMED : 2), "pairs, or sets of 2 to 12 cells");
            (size == 2 ? pairs : larger).push_back(named);
        }
        kind == 's' ? check_sum() : check_matching();
    }

  private:
    static constexpr std::size_t MAX_NAMED = 12, MAX_RESULTS = 100'000;

    bool is_paired(const Set<N>& set) const {
        return std::ranges::any_of(pairs, [&](const Set<N>& pair) { return (pair & ~set).none(); });
    }

    void check_matching() const {
        std::vector<std::set<std::uint32_t>> parts(larger.size());
        for (const Set<N>& set : sets) {
            if (is_paired(set)) continue;
            const auto held = [&](const Set<N>& cells) { return (cells & set).count(); };
            const std::size_t best = std::ranges::max_element(larger, {}, held) - larger.begin();  // the first of these
            expect(best < larger.size() && held(larger[best]) > 0, "a set for every line open to the opponent");
            std::uint32_t part = 0;
            for_each(larger[best], [&](int cell) { part = part << 1 | std::uint32_t{set[cell]}; });
            parts[best].insert(part);
        }
        static std::map<std::set<std::uint32_t>, bool> results;  // of other nodes
        if (results.size() > MAX_RESULTS) results.clear();
        for (const auto& some : parts) {
            const auto [result, is_new] = results.try_emplace(some);
            if (is_new) result->second = PartGame{{some.begin(), some.end()}}.prover_wins(0, 0);
            expect(result->second, "a set where the prover stops every line");
        }
    }

    // The opponent gets the cells of the pairs, except in sets that contain a pair.
    void check_sum() const {
        const std::uint64_t one = std::uint64_t{1} << MAX_LINE_LENGTH;
        std::uint64_t sum = 0, largest = 0;
        std::array<std::uint64_t, N> through{};
        Set<N> paired;
        for (const Set<N>& pair : pairs) paired |= pair;
        for (const Set<N>& set : sets) {
            if (is_paired(set)) continue;
            const Set<N> rest = set & ~paired;
            const std::uint64_t weight = one >> rest.count();
            sum += weight;
            for_each(rest, [&](int cell) { largest = std::max(largest, through[cell] += weight); });
        }
        expect(sum + (is_prover_to_move ? 0 : largest) < one, "a smaller Erdős–Selfridge sum");
    }
};

// The prover answers each reply with its image under a symmetry, in a game where the side that completes a line loses.
template <std::size_t N>
struct Mirror {
    const Rules<N>& rules;
    const Cells& image;  // of each cell

    // Checks the strategy at a position with the opponent to move.
    void check(const Set<N>& own, const Set<N>& other, bool wants_win) const {
        Set<N> expected;
        std::vector<std::pair<int, int>> pairs;
        for (int cell = 0; cell < rules.game.cells; ++cell) {
            expect(image[image[cell]] == cell, "a symmetry that is its own inverse");
            if (image[cell] == cell || other[image[cell]]) expected.set(cell);
            if (cell < image[cell] && !own[cell] && !other[cell]) pairs.emplace_back(cell, image[cell]);
        }
        expect(own == expected, "the prover's marks on the fixed cells and the images of the opponent's");
        for (const auto& line : rules.lines)
            expect(is_mixed(line.cells), "a pair of images on a line through a fixed cell");
        if (!wants_win) return;
        expect(pairs.size() <= MAX_PAIRS, "at most 16 pairs of empty cells");
        expect(!can_avoid_lines(other, pairs, 0), "an opponent that must complete a line");
    }

  private:
    static constexpr std::size_t MAX_PAIRS = 16;

    // Whether a line contains no fixed cell, or contains another cell and its image.
    bool is_mixed(const Set<N>& line) const {
        bool has_fixed = false, has_pair = false;
        for_each(line, [&](int cell) { (image[cell] == cell ? has_fixed : has_pair) |= line[image[cell]]; });
        return has_pair || !has_fixed;
    }

    bool can_avoid_lines(Set<N> marks, const std::vector<std::pair<int, int>>& pairs, std::size_t next) const {
        if (has_line(rules.lines, marks)) return false;
        if (next == pairs.size()) return true;
        const auto [first, second] = pairs[next];
        return can_avoid_lines(Set<N>(marks).set(first), pairs, next + 1) ||
               can_avoid_lines(Set<N>(marks).set(second), pairs, next + 1);
    }
};
