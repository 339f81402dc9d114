// Follows the nodes of a claim from node 0. Each belongs to one state: a position, or sets of cells.
#pragma once

#include <unordered_map>

#include "header.hpp"
#include "proof.hpp"

template <std::size_t N, class State>
class Walk {
  public:
    Walk(const Rules<N>& game, const Proof& source, const Claim& what, const std::vector<Symmetry>& known)
        : rules(game), proof(source), claim(what), symmetries(known) {}

    // Returns the number of positions visited; throws Rejection with the place.
    std::uint64_t run(const State& start) {
        if (claim.nodes.empty()) throw Rejection(claim.name + ": expected nodes, got none");
        count_references();
        reach(0, start);
        while (!waiting_.empty()) {
            const auto [node, state] = std::move(waiting_.back());
            waiting_.pop_back();
            current_ = node;
            try {
                Cursor in(proof.line_at(claim.nodes[node]));
                check(node, state, in);
                in.finish();
            } catch (const Rejection& reason) {
                throw Rejection(claim.place(node) + ": " + reason.what());
            }
        }
        const auto missed = std::ranges::find(is_reached_, false);
        if (missed == is_reached_.end()) return positions;
        throw Rejection(claim.place(missed - is_reached_.begin()) + ": expected every node to be reached");
    }

  protected:
    virtual void check(std::uint32_t node, const State& state, Cursor& in) = 0;

    // Continues at a reference.
    void follow(State state, Cursor& in) {
        const std::uint32_t target = in.reference(current_);
        expect(target < claim.nodes.size(), "a reference to a node of the claim");
        if (in.accept('/')) {
            const std::size_t symmetry = in.number();
            expect(symmetry < symmetries.size(), "a symmetry of the header");
            state = preimage(state, symmetries[symmetry]);
        }
        reach(target, std::move(state));
    }

    const Rules<N>& rules;
    const Proof& proof;
    const Claim& claim;
    const std::vector<Symmetry>& symmetries;
    std::uint64_t positions = claim.nodes.size();

  private:
    // Takes every number for a reference, so that the states of a few nodes with low numbers are kept to the end.
    void count_references() {
        ++references_[0];
        for (std::uint32_t node = 0; node < claim.nodes.size(); ++node) {
            Cursor in(proof.line_at(claim.nodes[node]));
            const bool is_leaf = in.peek() != 'm' && in.peek() != 'r' && in.peek() != 'c';
            while (!is_leaf && !in.is_at_end())
                if (!is_digit(in.peek()) && in.peek() != '+')
                    in.next();
                else if (const std::uint32_t number = in.reference(node); number < references_.size())
                    ++references_[number];
        }
    }

    // Keeps the state of a node until the last reference to it; most nodes have one.
    void reach(std::uint32_t node, State state) {
        const bool is_new = !is_reached_[node];
        expect(is_new || states_.at(node) == state, "a reference to the state of its node, but it leads to another");
        is_reached_[node] = true;
        if (--references_[node] > 0)
            states_.try_emplace(node, state);
        else
            states_.erase(node);
        if (is_new) waiting_.emplace_back(node, std::move(state));
    }

    std::uint32_t current_ = 0;  // the node that is checked
    std::vector<std::uint32_t> references_ = std::vector<std::uint32_t>(claim.nodes.size());  // to a node that are left
    std::vector<bool> is_reached_ = std::vector<bool>(claim.nodes.size());
    std::unordered_map<std::uint32_t, State> states_;  // of nodes that were reached and have references left
    std::vector<std::pair<std::uint32_t, State>> waiting_;
};
