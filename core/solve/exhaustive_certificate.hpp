// The nodes of a certificate, found again move by move with the table of an exhaustive search. The format is described
// in docs/proofs.md.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "solve/exhaustive_solver.hpp"

namespace noughts {

struct Claim {
    std::string text;  // "claim X win" and a line for every node; empty when there is none
    std::uint64_t nodes = 0;
    std::string why_not;  // empty when the claim is written: else what stood in the way, in one line
};

class ClaimWriter {
  public:
    // `symmetries`, the identity first, are what `NODE/K` refers to, in this order; empty for none. A claim of more
    // than `most_nodes` is given up.
    ClaimWriter(ExhaustiveSolver& exhaust, std::vector<Permutation> symmetries, std::uint64_t most_nodes,
                WorkLimit& limit);

    // That `prover` wins (goal 1) or does not lose (goal 0) from here. Claims what it has checked, nothing else.
    Claim write(const Position& position, Side prover, int goal);

  private:
    struct Known {
        std::uint32_t node;
        std::uint16_t image;  // the symmetry that makes the node's own position the one it is found by
    };
    struct GivenUp {
        std::string why;
    };

    bool holds(const Position& position) const;
    std::string reference(Position& position);
    std::string prove(Position& position);
    std::string answer(Position& position);
    int written_move(Position& position);
    bool goal_is_met(const Position& over) const;
    bool rival_has_no_line(const Position& position) const;
    bool potential_is_low(const Position& position) const;
    std::pair<std::string, std::uint16_t> canonical(const Position& position) const;
    std::string encoded(const Position& position, std::size_t image) const;

    ExhaustiveSolver& exhaustive_;
    const Game& game_;
    std::vector<Permutation> symmetries_;
    std::vector<std::vector<int>> blocks_;              // per symmetry: where blocks go
    std::vector<std::vector<std::uint16_t>> quotient_;  // [a][b]: the symmetry that is b, then a backwards
    std::uint64_t most_nodes_;
    WorkLimit& limit_;
    bool plain_;  // lines can be counted: no gravity, no misère, no guards, one block
    Side prover_ = X;
    int goal_ = 0;
    std::vector<std::string> lines_;
    std::unordered_map<std::string, Known> known_;
};

}  // namespace noughts
