// Arguments that need no moves, why the opponent cannot fill one of the sets of cells that it needs for a line.
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
    const std::vector<Set<N>>& sets;
    bool is_prover_to_move;
    std::vector<Cells> groups{};  // that the node names, pairs in most cases
    std::vector<Set<N>> masks{};  // of the groups

    // Checks a pairing, a set matching or a sum that names cells of `free`.
    void check(char kind, Set<N> free, Cursor& in) {
        while (in.accept(' ')) {
            groups.emplace_back();
            do {
                const std::size_t cell = in.number();
                expect(cell < N && free[cell], "an empty cell that is not used yet");
                free.reset(cell);
                groups.back().push_back(static_cast<int>(cell));
            } while (in.accept('-'));
            masks.push_back(set_of<N>(groups.back()));
            expect(groups.back().size() >= 2 && groups.back().size() <= (kind == 't' ? MAX_GROUP : 2),
                   "pairs, or sets of 2 to 12 cells");
        }
        expect(kind == 'p' || kind == 's' || (kind == 't' && !groups.empty()), "a node of a known kind, t with a set");
        kind == 's' ? check_sum() : check_matching();
    }

  private:
    static constexpr std::size_t MAX_GROUP = 12, MAX_RESULTS = 100'000;

    bool is_paired(const Set<N>& set) const {
        return std::ranges::any_of(masks, [&](const auto& mask) { return (mask & ~set).none() && mask.count() == 2; });
    }

    void check_matching() const {
        std::map<std::size_t, PartGame> games;
        for (const Set<N>& set : sets) {
            if (is_paired(set)) continue;
            const auto held = [&](const Set<N>& mask) { return mask.count() == 2 ? 0 : (mask & set).count(); };
            const std::size_t best = std::ranges::max_element(masks, {}, held) - masks.begin();  // the first of these
            expect(best < masks.size() && held(masks[best]) > 0, "a pair or a set for every line open to the opponent");
            std::uint32_t part = 0;
            for (std::size_t bit = 0; bit < groups[best].size(); ++bit)
                part |= std::uint32_t{set[groups[best][bit]]} << bit;
            games[best].parts.insert(part);
        }
        static std::map<std::set<std::uint32_t>, bool> results;  // of other nodes
        if (results.size() > MAX_RESULTS) results.clear();
        for (auto& [group, game] : games) {
            const auto [result, is_new] = results.try_emplace(game.parts);
            if (is_new) result->second = game.prover_wins(0, 0, (1u << groups[group].size()) - 1);
            expect(result->second, "a set where the prover stops every line");
        }
    }

    // The opponent gets the cells of the pairs, except in sets that contain a pair.
    void check_sum() const {
        const std::uint64_t one = std::uint64_t{1} << MAX_LINE_LENGTH;
        std::uint64_t sum = 0, largest = 0;
        std::array<std::uint64_t, N> through{};
        Set<N> paired;
        for (const Set<N>& mask : masks) paired |= mask;
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
