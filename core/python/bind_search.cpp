// The playing search, the fixed-depth search and the search for forced wins.
#include <nanobind/stl/string_view.h>

#include "boundary/answers.hpp"
#include "python/network_choice.hpp"
#include "search/evaluate.hpp"
#include "search/instruction_set.hpp"

namespace noughts::python {
namespace {

// An engine that several Python threads may share.
struct SharedEngine : Engine {
    SharedEngine(int threads, std::size_t megabytes, std::optional<nb::bytes> network)
        : Engine(checked_threads(threads), checked_megabytes(megabytes), network_choice(network)) {}
    InUse in_use;
};

Report engine_search(SharedEngine& engine, const Position& position, double seconds, int depth, std::uint64_t nodes,
                     int lines, nb::object progress, const Symmetry* symmetry,
                     const std::vector<std::pair<int, int>>& known, bool prompt, double target) {
    require_limits(position, seconds, depth, lines);
    const Root root = checked_root(position, symmetry, known, prompt, target);
    const InUse::Lock lock(engine.in_use, "engine");
    const Position copy(position);
    Call call;
    return call.run([&] {
        return engine.search(copy, {seconds, nodes, depth}, lines, call.report_to<Report>(progress), call.interrupt(),
                             root);
    });
}

void engine_clear(SharedEngine& engine) {
    const InUse::Lock lock(engine.in_use, "engine");
    engine.clear();
}

nb::tuple best_moves(const Position& position, int depth, const Symmetry* symmetry, const nb::object& watch,
                     std::uint64_t nodes) {
    const Position copy(position);
    Call call(&watch);
    const auto found = call.run([&] { return fixed_depth_best_moves(copy, depth, symmetry, nodes, call.interrupt()); });
    return nb::make_tuple(found.score, found.moves, found.nodes);
}

std::vector<int> threat_win(const Position& position, int nodes) {
    const Position copy(position);
    return Call().run([&] { return forced_win(copy, nodes); });
}

nb::tuple fork_win(const Position& position, int nodes) {
    const Position copy(position);
    const auto found = Call().run([&] { return fork_threat_win(copy, nodes); });
    return nb::make_tuple(found.plies, found.line);
}

void bind_engine(nb::module_& m) {
    nb::class_<RootVariation>(m, "RootVariation", "A move of the root with its score and the line that follows.")
        .def_ro("move", &RootVariation::move)
        .def_ro("score", &RootVariation::score, "For the side to move.")
        .def_ro("proven", &RootVariation::proven, "Whether the score rests on nothing estimated or pruned.")
        .def_ro("pv", &RootVariation::pv, "The moves expected, this one first.");
    nb::class_<Report>(m, "Report", "The result of a search so far.")
        .def_ro("depth", &Report::depth, "The last depth searched in full.")
        .def_ro("nodes", &Report::nodes, "Positions visited, by all threads.")
        .def_ro("seconds", &Report::seconds)
        .def_ro("hashfull", &Report::hashfull, "Per mille of the table filled by this search.")
        .def_ro("lines", &Report::lines, "The best moves, best first.");
    nb::class_<SharedEngine>(m, "Engine", "The playing search, with its table and its threads.")
        .def(nb::init<int, std::size_t, std::optional<nb::bytes>>(), "threads"_a, "megabytes"_a,
             "network"_a.none() = nb::none(),
             "`network` is None for that of each game, empty for none, or the bytes of a network.")
        .def("search", &engine_search, "position"_a, "seconds"_a, "depth"_a, "nodes"_a, "lines"_a, "progress"_a.none(),
             "symmetry"_a.none() = nb::none(), "known"_a = std::vector<std::pair<int, int>>{}, "prompt"_a = false,
             "target"_a = 0.0,
             "Return the best `lines` moves. A limit of 0 means none; `progress` returns False to end the search.")
        .def(
            "stop", [](SharedEngine& engine) { engine.stop(); }, "End a running search, from any thread.")
        .def(
            "spread",
            [](const SharedEngine& engine, const Game& game) { return network_spread(game, engine.network()); },
            "game"_a, "Return the spread of the scores of the network for a game, 0 if it has none.")
        .def("clear", &engine_clear, "Empty the table.");
}

}  // namespace

void bind_search(nb::module_& m) {
    m.attr("MAX_THREADS") = MAX_THREADS;
    m.attr("WIN") = WIN;
    m.attr("DECIDED") = DECIDED;
    m.attr("BELIEVED") = BELIEVED;
    m.def(
        "estimate",
        [](const Position& p, const std::optional<nb::bytes>& network) { return estimate(p, network_choice(network)); },
        "position"_a, "network"_a.none() = nb::none(),
        "Return the static evaluation for the side to move; `network` is None for that of the game, empty for none.");
    m.def(
        "fixed_depth_best_moves", &best_moves, "position"_a, "depth"_a, "symmetry"_a.none(),
        "watch"_a.none() = nb::none(), "nodes"_a = 0,
        "Return the best score at a fixed depth, all moves that have it, and the nodes; `watch` may raise to end it. A "
        "search that exceeds `nodes`, if that is not 0, ends with the result of a smaller depth.");
    m.def("forced_win", &threat_win, "position"_a, "nodes"_a,
          "Return the moves of a win by threats alone, of both sides, or none if none was found within `nodes`.");
    m.def("fork_threat_win", &fork_win, "position"_a, "nodes"_a,
          "Return the plies and the moves of a win by threats and threats of a fork; 0 and none if none was found.");
    m.def("instruction_sets", &instruction_sets,
          "Return the names of the instruction sets that networks can use on this machine, the fastest first.");
    m.def("instruction_set", [] { return kernels().name; }, "Return the name of the one in use.");
    m.def("set_instruction_set", &set_instruction_set, "name"_a, "Use another one, with the same results.");
    bind_engine(m);
}

}  // namespace noughts::python
