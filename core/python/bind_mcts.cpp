// The tree search.
#include <cmath>

#include "boundary/answers.hpp"
#include "mcts/mcts.hpp"
#include "mcts/win_probability.hpp"
#include "python/arrays.hpp"
#include "python/network_choice.hpp"

namespace noughts::python {
namespace {

constexpr int MAX_BATCH = 4096;
constexpr double MAX_EXPLORATION = 1000, EXPLORATION_UNIT = 1024;
constexpr double PRIOR_UNIT = 1 << 24;

// A search that several Python threads may share.
struct SharedMcts : Mcts {
    using Mcts::Mcts;
    InUse in_use;
};

EvaluatorKind evaluator_kind(const std::string& name) {
    if (name == "rollouts") return EvaluatorKind::ROLLOUTS;
    if (name == "network") return EvaluatorKind::NETWORK;
    if (name == "weights") return EvaluatorKind::WEIGHTS;
    require(name == "function", "expected an evaluator of rollouts, network, weights, function, got " + name);
    return EvaluatorKind::FUNCTION;
}

void make_mcts(SharedMcts* self, int threads, std::size_t megabytes, const std::optional<nb::bytes>& network,
               const std::string& evaluator, int batch, double exploration, std::uint64_t seed) {
    checked_threads(threads);
    checked_megabytes(megabytes);
    require_range("batch", batch, 1, MAX_BATCH);
    require(exploration >= 0 && exploration <= MAX_EXPLORATION, "expected exploration from 0 to 1000");
    const auto scaled = static_cast<int>(std::lround(exploration * EXPLORATION_UNIT));
    new (self) SharedMcts(
        MctsOptions{threads, megabytes, evaluator_kind(evaluator), network_choice(network), batch, scaled, seed});
}

int checked_value(double value) {
    require(value >= -1 && value <= 1, "expected values from -1 to 1, got " + std::to_string(value));
    return static_cast<int>(std::lround(value * CERTAIN));
}

// The legal moves, weighted by `priors`, which has one number for each cell. Without priors, or if all legal moves have
// prior 0, the weights are equal.
WeightedMoves weighted_moves(const Position& position, std::span<const double> priors) {
    WeightedMoves found;
    double sum = 0;
    position.for_each_legal([&](Cell cell) {
        const double prior = priors.empty() ? 1 : priors[static_cast<std::size_t>(cell)];
        require(prior >= 0 && std::isfinite(prior),
                "expected priors of 0 or more, got " + std::to_string(prior) + " for cell " + std::to_string(cell));
        sum += prior;
        found.moves.push_back({cell, 0});
    });
    require(std::isfinite(sum), "expected priors with a finite sum");
    for (ScoredMove& move : found.moves) {
        const double prior = priors.empty() ? 1 : priors[static_cast<std::size_t>(move.move)];
        move.score = sum > 0 ? static_cast<int>(prior / sum * PRIOR_UNIT) : 1;
    }
    return found;
}

// Calls `function` with a list of positions. It must return an array of values and either an array of priors or None.
void evaluate_leaves(std::span<Leaf> leaves, const nb::object& function) {
    nb::list positions;
    for (const Leaf& leaf : leaves) positions.append(nb::cast(Position(leaf.position)));
    const nb::object answer = function(positions);
    const auto [values, priors] = nb::cast<std::pair<nb::object, nb::object>>(answer);
    const auto cells = static_cast<std::size_t>(leaves.front().position.game().cells());
    const auto of_values = memory_of<const double>(values, leaves.size(), "float64");
    std::span<const double> of_priors;
    if (!priors.is_none()) of_priors = memory_of<const double>(priors, leaves.size() * cells, "float64");
    for (std::size_t i = 0; i < leaves.size(); ++i) {
        leaves[i].value = checked_value(of_values[i]);
        leaves[i].moves =
            weighted_moves(leaves[i].position, of_priors.empty() ? of_priors : of_priors.subspan(i * cells, cells));
    }
}

Report mcts_search(SharedMcts& mcts, const Position& position, double seconds, int depth, std::uint64_t nodes,
                   int lines, nb::object progress, const Symmetry* symmetry,
                   const std::vector<std::pair<int, int>>& known, bool prompt, double target, int scale,
                   nb::object evaluate) {
    require_limits(position, seconds, depth, lines);
    require(scale > 0, "expected a positive scale");
    const EvaluatorKind kind = mcts.options().evaluator;
    require(!evaluate.is_none() == (kind == EvaluatorKind::FUNCTION), "expected a function as the evaluator, or none");
    require(kind != EvaluatorKind::NETWORK || network_of(position.game(), mcts.options().network) != nullptr,
            "expected a network for the game");
    const Root root = checked_root(position, symmetry, known, prompt, target);
    const InUse::Lock lock(mcts.in_use, "engine");
    const Position copy(position);
    Call call;
    const auto ask = [&](std::span<Leaf> leaves) {
        return call.ask([&] {
            evaluate_leaves(leaves, evaluate);
            return true;
        });
    };
    return call.run([&] {
        return mcts.search(copy, {seconds, nodes, depth}, lines, call.report_to<Report>(progress), call.interrupt(),
                           root, scale, ask);
    });
}

}  // namespace

void bind_mcts(nb::module_& m) {
    m.attr("MAX_BATCH") = MAX_BATCH;
    nb::class_<SharedMcts>(m, "Mcts", "The tree search, with its tree and its threads.")
        .def("__init__", &make_mcts, "threads"_a, "megabytes"_a, "network"_a.none(), "evaluator"_a, "batch"_a,
             "exploration"_a, "seed"_a, "`network` is as for Engine.")
        .def("search", &mcts_search, "position"_a, "seconds"_a, "depth"_a, "nodes"_a, "lines"_a, "progress"_a.none(),
             "symmetry"_a.none(), "known"_a, "prompt"_a, "target"_a, "scale"_a, "evaluate"_a.none(),
             "Return the best `lines` moves, as Engine.search does. `evaluate` gets a list of positions and returns an "
             "array of values and one of priors, or None, both of float64; only with the evaluator function.")
        .def(
            "stop", [](SharedMcts& mcts) { mcts.stop(); }, "End a running search, from any thread.")
        .def(
            "spread",
            [](const SharedMcts& mcts, const Game& game) { return network_spread(game, mcts.options().network); },
            "game"_a, "Return the spread of the scores of the network for a game, 0 if it has none.");
}

}  // namespace noughts::python
