// Evaluators of the tree search: the value of a leaf, and the weights of its moves.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "search/move_order.hpp"
#include "search/network.hpp"

namespace noughts {

enum class EvaluatorKind {
    ROLLOUTS,  // random play to the end
    NETWORK,   // the estimate of a network
    WEIGHTS,   // the hand-written evaluation
    FUNCTION,  // a function of the caller
};

// The moves of a position with their weights, whose shares of the sum are the prior probabilities.
struct WeightedMoves {
    std::vector<ScoredMove> moves;
    bool complete = true;  // whether these are all legal moves
};

// Evaluates positions in the core; one per thread.
class LeafEvaluator {
  public:
    explicit LeafEvaluator(const Game& game, bool has_network = false);
    virtual ~LeafEvaluator() = default;

    // The value for the side to move, see win_probability.hpp. The position must not be over and is left as it was.
    // `number` determines random choices.
    virtual int value(Position& position, std::uint64_t number) = 0;
    // The moves worth a try: on a large board those that touch a line with a mark on it, unless `all` are wanted.
    virtual WeightedMoves moves(Position& position, bool all);

  private:
    MoveOrder order_;
    bool large_;
};

// An evaluator of this kind, which must not be FUNCTION; `network` is null unless it is NETWORK. `spread` is that of
// the scores.
std::unique_ptr<LeafEvaluator> make_evaluator(EvaluatorKind kind, const Game& game,
                                              std::shared_ptr<const Network> network, int spread);

}  // namespace noughts
