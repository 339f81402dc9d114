// Evaluators of the tree search: they give the value of a leaf and the weights of its moves.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "search/move_order.hpp"
#include "search/network.hpp"

namespace noughts {

enum class EvaluatorKind {
    ROLLOUTS,  // random play to the end of the game
    NETWORK,   // the estimate of a network
    WEIGHTS,   // the hand-written evaluation
    FUNCTION,  // a function of the caller
};

// The moves of a position with weights proportional to their prior probabilities.
struct WeightedMoves {
    std::vector<ScoredMove> moves;
    bool complete = true;  // whether these are all legal moves
};

// Evaluates positions within the core; each thread has its own.
class LeafEvaluator {
  public:
    explicit LeafEvaluator(const Game& game, bool has_network = false);
    virtual ~LeafEvaluator() = default;

    // The value for the side to move, see win_probability.hpp. The position must not be over; it is restored. `number`
    // seeds random choices.
    virtual int value(Position& position, std::uint64_t number) = 0;
    // The moves worth trying. On a large board, moves that touch no marked line are left out unless `all` is true.
    virtual WeightedMoves moves(Position& position, bool all);

  private:
    MoveOrder order_;
    bool large_;
};

// Makes an evaluator of any kind but FUNCTION. `network` is null unless the kind is NETWORK. `spread` is the scale of
// the scores.
std::unique_ptr<LeafEvaluator> make_evaluator(EvaluatorKind kind, const Game& game,
                                              std::shared_ptr<const Network> network, int spread);

}  // namespace noughts
