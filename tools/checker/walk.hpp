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
        count_uses();
        reach(0, start);
        while (!waiting_.empty()) {
            const std::uint32_t node = waiting_.back();
            waiting_.pop_back();
            const State state = states_.at(node);
            release(node);
            try {
                ++positions;
                Cursor in(proof.line_at(claim.nodes[node]));
                check(node, state, in);
                in.finish();
            } catch (const Rejection& reason) {
                throw Rejection(place(node) + ": " + reason.what());
            }
        }
        for (std::uint32_t node = 0; node < uses_.size(); ++node)
            if (uses_[node] > 0 && !states_.contains(node))
                throw Rejection(place(node) + ": expected every node to be reached");
        return positions;
    }

  protected:
    virtual void check(std::uint32_t node, const State& state, Cursor& in) = 0;

    // Continues at a reference.
    void follow(State state, Cursor& in) {
        const std::uint32_t target = in.number();
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
    std::uint64_t positions = 0;

  private:
    // Takes every number for a reference, so that the states of a few nodes with low numbers are kept to the end.
    void count_uses() {
        uses_.assign(claim.nodes.size(), 1);
        ++uses_[0];
        for (const std::uint32_t start : claim.nodes)
            for (Cursor in(proof.line_at(start)); !in.is_at_end();)
                if (!is_digit(in.peek()))
                    in.next();
                else if (const std::uint32_t number = in.number(); number < uses_.size())
                    ++uses_[number];
    }

    void reach(std::uint32_t node, State state) {
        const auto [entry, is_new] = states_.try_emplace(node, std::move(state));  // which moves a new state only
        if (is_new) waiting_.push_back(node);
        expect(is_new || entry->second == state, "a reference to the state of its node, but it leads to another");
        release(node);
    }

    // Forgets the state of a node after its last use.
    void release(std::uint32_t node) {
        if (--uses_[node] == 0) states_.erase(node);
    }

    std::string place(std::size_t node) const {
        return claim.name + ", node " + std::to_string(node) + " (line " + std::to_string(claim.line + node) + ")";
    }

    std::vector<std::uint32_t> uses_;  // of the state of each node that are left: its check, and references to it
    std::unordered_map<std::uint32_t, State> states_;
    std::vector<std::uint32_t> waiting_;
};
