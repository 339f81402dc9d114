// Chooses the child to search next in proof-number search.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "solve/parallel/positions_in_progress.hpp"
#include "solve/proof_number/proof_table.hpp"

namespace noughts {

// `own` and `other` are the node's numbers, from the view of its side to move; `second` is the least number of the
// children that were not chosen.
template <typename Child>
struct BestChild {
    std::uint32_t own = INFINITE, second = INFINITE, other = 0;
    Child* child = nullptr;

    ProofNumbers numbers(bool attacking) const { return ProofNumbers{own, other}.for_mover(attacking); }

    // The thresholds for the search of the child, from those of the node.
    ProofNumbers child_thresholds(ProofNumbers thresholds, bool attacking) const {
        const auto [own_threshold, other_threshold] = thresholds.for_mover(attacking);
        // Somewhat above the second best, to avoid jumping between moves that look alike. The factors were measured;
        // the attacker, who needs only one winning move, gains from staying with a move longer.
        const std::uint32_t beyond_second = second + (attacking ? second : second / 4) + 1;
        std::uint32_t child_own = std::min({own_threshold, beyond_second, INFINITE});
        // Other threads are on the best move: search this one with a slightly relaxed threshold.
        if (child_own <= child->own) child_own = std::min(child->own + child->own / 4 + 1, INFINITE);
        const std::uint32_t child_other =
            other_threshold >= INFINITE ? INFINITE : other_threshold - other + child->other;
        return ProofNumbers{child_own, child_other}.for_mover(attacking);
    }
};

// Sets the numbers of a child, which are those of the side to move at its parent.
template <typename Child>
void set_numbers(Child& child, ProofNumbers numbers, bool attacking) {
    const auto [own, other] = numbers.for_mover(attacking);
    child.own = own;
    child.other = other;
}

// One child must bring `own` to zero, so the least `own` counts. All must bring `other` to zero, so these numbers add
// up. Children that other threads are searching look worse. `is_preferred(child, best)` breaks ties.
template <typename Child, typename IsPreferred>
BestChild<Child> choose_child(std::vector<Child>& children, IsPreferred&& is_preferred) {
    BestChild<Child> choice;
    std::uint32_t least = INFINITE;
    for (Child& child : children) {
        const bool is_infinite = std::max(choice.other, child.other) >= INFINITE;
        choice.other = is_infinite ? INFINITE : std::min(choice.other + child.other, INFINITE - 1);
        choice.own = std::min(choice.own, child.own);
        const std::uint32_t number = PositionsInProgress::virtual_number(child.own, child.in_progress);
        if (number < least || (choice.child && number == least && is_preferred(child, *choice.child))) {
            choice.second = least;
            least = number;
            choice.child = &child;
        } else {
            choice.second = std::min(choice.second, number);
        }
    }
    if (choice.own == 0) choice.other = INFINITE;
    return choice;
}

}  // namespace noughts
