// The check of a claim that the opponent never completes a line: the Maker-Breaker game on sets of cells.
#pragma once

#include <cstring>
#include <ranges>

#include "leaves.hpp"
#include "walk.hpp"

// Any order of sets, by which they are sorted.
constexpr auto IS_BEFORE = []<std::size_t N>(const Set<N>& a, const Set<N>& b) {
    return N <= 64 ? a.to_ullong() < b.to_ullong() : std::memcmp(&a, &b, sizeof a) < 0;
};

// The sets that the opponent must not fill, in order; none contains another.
template <std::size_t N>
struct BlockState {
    std::vector<Set<N>> sets;
    bool is_prover_to_move;

    bool operator==(const BlockState&) const = default;
};

template <std::size_t N>
BlockState<N> preimage(BlockState<N> state, const Symmetry& symmetry) {
    for (Set<N>& set : state.sets) set = moved(set, symmetry.cells);
    std::ranges::sort(state.sets, IS_BEFORE);
    return state;
}

// Joins sets, in order, none of which contains another, and sets that none of those is a part of.
template <std::size_t N>
std::vector<Set<N>> reduced(const std::vector<Set<N>>& large, std::vector<Set<N>> small) {
    std::ranges::sort(small, IS_BEFORE);
    small.erase(std::ranges::unique(small).begin(), small.end());
    const auto is_minimal = [&](const Set<N>& set) {
        return std::ranges::none_of(small, [&](const Set<N>& part) { return (part & ~set).none() && part != set; });
    };
    std::vector<Set<N>> found;
    std::ranges::merge(large | std::views::filter(is_minimal), small | std::views::filter(is_minimal),
                       std::back_inserter(found), IS_BEFORE);
    return found;
}

template <std::size_t N>
class BlockCheck : public Walk<N, BlockState<N>> {
  public:
    using Walk<N, BlockState<N>>::Walk;

  private:
    using Sets = std::vector<Set<N>>;

    void check(std::uint32_t, const BlockState<N>& state, Cursor& in) override {
        const char kind = in.next();
        expect(kind != 'm' || state.is_prover_to_move, "the prover to move");
        expect((kind != 'r' && kind != 'c') || !state.is_prover_to_move, "the opponent to move");
        Set<N> left;
        for (const Set<N>& set : state.sets) left |= set;
        if (kind == 'm') return check_move(state.sets, left, in);
        if (kind == 'r') return check_replies(state.sets, left, in);
        if (kind == 'c') return check_components(state.sets, left, in);
        Leaf<N>{state.sets, state.is_prover_to_move}.check(kind, this->rules.board, in);
    }

    void check_move(const Sets& sets, Set<N> left, Cursor& in) {
        in.require(' ');
        const int cell = take_cell(left, in);
        in.require(' ');
        lead(select(sets, [&](const Set<N>& set) { return !set[cell]; }), false, in);
    }

    void check_replies(const Sets& sets, Set<N> left, Cursor& in) {
        Set<N> dominating, dominated;
        while (in.accept(' ')) {
            const int cell = take_cell(left, in);
            if (in.accept('<')) {
                const std::size_t by = in.number();
                for (const Set<N>& set : sets)
                    expect(!set[cell] || (by < N && set[by]), "a dominating cell in each set");
                dominated.set(cell);
                dominating.set(by);
                continue;
            }
            Set<N> group = Set<N>().set(cell);
            while (in.accept('+')) group.set(take_cell(left, in));
            in.require(':');
            Sets large, small;
            for (const Set<N>& set : sets) ((set & group).any() ? small : large).push_back(set & ~group);
            for (const Set<N>& set : small) expect(set.any(), "a reply that does not fill a set");
            lead(reduced(large, small), true, in);
        }
        expect(left.none(), "an answer to every cell of a set");
        expect((dominating & dominated).none(), "a dominating reply that is answered itself");
    }

    // In the order of their lowest cells.
    void check_components(Sets sets, Set<N> left, Cursor& in) {
        int count = 0;
        for (; left.any(); ++count) {
            Set<N> component, before;
            component.set(first_of(left));
            const auto is_inside = [&](const Set<N>& set) { return (set & component).any(); };
            while (component != before) {
                before = component;
                for (const Set<N>& set : sets)
                    if (is_inside(set)) component |= set;
            }
            in.require(' ');
            lead(select(sets, is_inside), false, in);
            left &= ~component;
        }
        expect(count > 1, "two components or more");
    }

    // Reads a cell and removes it from those that are left.
    static int take_cell(Set<N>& left, Cursor& in) {
        const std::size_t cell = in.number();
        expect(cell < N && left[cell], "a cell of a set that is not answered yet");
        left.reset(cell);
        return static_cast<int>(cell);
    }

    template <class Keep>
    static Sets select(const Sets& sets, Keep keep) {
        Sets found;
        found.reserve(sets.size());
        std::ranges::copy_if(sets, std::back_inserter(found), keep);
        return found;
    }

    void lead(Sets sets, bool is_prover_to_move, Cursor& in) {
        ++this->positions;
        expect(in.peek() != '+', "absolute references in a claim block");
        this->follow({std::move(sets), is_prover_to_move}, in);
    }
};
