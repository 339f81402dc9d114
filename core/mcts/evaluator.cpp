#include "mcts/evaluator.hpp"

#include <algorithm>
#include <utility>

#include "mcts/win_probability.hpp"
#include "rules/random_play.hpp"
#include "search/evaluate.hpp"
#include "tactics/threats.hpp"

namespace noughts {
namespace {

// Added to the ordering scores, so that a move without a score still gets some weight.
constexpr int LEAST_WEIGHT = 16;
// If the score of a move is lower than that of another by a third of the spread, the move is e times less likely.
constexpr int PRIOR_SHARE = 3;

// Random play to the end of the game, except that a side completes a line whenever that wins.
class Rollouts : public LeafEvaluator {
  public:
    explicit Rollouts(const Game& game) : LeafEvaluator(game) {}

    int value(Position& position, std::uint64_t number) override {
        const Side side = position.turn();
        const int ply = position.ply();
        std::uint64_t state = mix(number);
        Side winner = NO_SIDE;
        while (!position.is_over()) {
            if (winning_move(position) != NO_CELL) {
                winner = position.turn();
                break;
            }
            position.play(random_move(position, state));
        }
        if (position.is_over()) winner = position.winner();
        while (position.ply() > ply) position.undo();
        return winner == NO_SIDE ? 0 : winner == side ? CERTAIN : -CERTAIN;
    }
};

class WeightsEvaluator : public LeafEvaluator {
  public:
    WeightsEvaluator(const Game& game, int spread) : LeafEvaluator(game), spread_(spread) {}

    int value(Position& position, std::uint64_t) override { return value_of_score(evaluate(position), spread_); }

  private:
    int spread_;
};

class NetworkLeafEvaluator : public LeafEvaluator {
  public:
    NetworkLeafEvaluator(const Game& game, std::shared_ptr<const Network> network, int spread)
        : LeafEvaluator(game, true), network_(std::move(network)), spread_(spread) {}

    int value(Position& position, std::uint64_t) override {
        return value_of_score(network_.evaluate(position), spread_);
    }

    // Priors of the moves: from the network if it rates moves, else from its estimates of the positions after them.
    WeightedMoves moves(Position& position, bool all) override {
        WeightedMoves found = LeafEvaluator::moves(position, all);
        Network::Accumulator& accumulator = network_.accumulator();
        const bool has_worth = accumulator.has_worth();
        for (ScoredMove& move : found.moves)
            move.score = has_worth ? accumulator.worth(position, move.move) : score_after(position, move.move);
        const int best = std::ranges::max(found.moves, {}, &ScoredMove::score).score;
        const int unit = has_worth ? Network::WORTH_UNIT : std::max(spread_ / PRIOR_SHARE, 1);
        for (ScoredMove& move : found.moves) move.score = decay(std::int64_t{best} - move.score, unit);
        return found;
    }

  private:
    int score_after(Position& position, Cell move) {
        const ScopedMove played(position, move);
        return position.is_over() ? 0 : -network_.evaluate(position);
    }

    NetworkEvaluator network_;
    int spread_;
};

}  // namespace

LeafEvaluator::LeafEvaluator(const Game& game, bool has_network)
    : order_(game, 1, has_network), large_(is_large(game)) {}

WeightedMoves LeafEvaluator::moves(Position& position, bool all) {
    const auto legal = static_cast<std::size_t>(position.count_legal());
    WeightedMoves found;
    found.moves.resize(legal);
    found.moves.resize(order_.gather(position, 0, NO_CELL, large_ && !all, found.moves, 0));
    found.complete = found.moves.size() == legal;
    for (ScoredMove& move : found.moves) move.score = std::max(move.score, 0) + LEAST_WEIGHT;
    return found;
}

std::unique_ptr<LeafEvaluator> make_evaluator(EvaluatorKind kind, const Game& game,
                                              std::shared_ptr<const Network> network, int spread) {
    if (kind == EvaluatorKind::NETWORK) return std::make_unique<NetworkLeafEvaluator>(game, std::move(network), spread);
    if (kind == EvaluatorKind::WEIGHTS) return std::make_unique<WeightsEvaluator>(game, spread);
    return std::make_unique<Rollouts>(game);
}

}  // namespace noughts
