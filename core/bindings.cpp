// The Python module: thin, and the only file here that knows of Python.
// The hot methods (play, undo, legal_moves, ...) are here; everything with words in it is in noughts.games.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>

#include "plain.hpp"
#include "position.hpp"
#include "search.hpp"
#include "solve.hpp"
#include "symmetry.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace noughts;

namespace {

PyObject* side_objects[2] = {nullptr, nullptr};  // noughts.games.Side.X and .O, for as long as Python runs

nb::object side_object(Side side) {
    return side == X || side == O ? nb::borrow(side_objects[side]) : nb::none();
}

void register_sides(nb::object x, nb::object o) {
    side_objects[X] = x.release().ptr();
    side_objects[O] = o.release().ptr();
}

std::shared_ptr<const Game> make_game(int cells, std::vector<std::pair<std::vector<int>, std::vector<int>>> lines,
                                      std::vector<std::vector<int>> rests_on, std::vector<int> block_of,
                                      std::vector<int> sends, std::vector<std::vector<int>> outer_lines, bool misere,
                                      bool count, bool open, Weights weights) {
    GameData data;
    data.cells = cells;
    for (auto& [line, guards] : lines) data.lines.push_back({std::move(line), std::move(guards)});
    data.rests_on = std::move(rests_on);
    data.block_of = std::move(block_of);
    data.sends = std::move(sends);
    data.outer_lines = std::move(outer_lines);
    data.misere = misere;
    data.count = count;
    data.open = open;
    data.weights = std::move(weights);
    return std::make_shared<const Game>(std::move(data));
}

// The cell a move names, or -1 when it is an integer but no cell. Text is read by the Python face.
int cell_of(nb::handle self, nb::handle move) {
    nb::object number;
    if (PyUnicode_Check(move.ptr())) {
        number = self.attr("parse_move")(move);
    } else if (PyBool_Check(move.ptr()) || !PyIndex_Check(move.ptr())) {
        throw nb::type_error("expected a move as a cell number or as text");
    } else {
        number = nb::steal(PyNumber_Index(move.ptr()));
    }
    int overflow = 0;
    const long cell = PyLong_AsLongAndOverflow(number.ptr(), &overflow);
    return overflow != 0 || cell < 0 || cell >= MAX_CELLS ? -1 : static_cast<int>(cell);
}

bool is_legal(nb::handle self, nb::handle move) {
    if (PyUnicode_Check(move.ptr())) throw nb::type_error("expected a move as a cell number");
    return nb::cast<const Position&>(self).is_legal(cell_of(self, move));
}

// Raises IllegalMove with the reason, which the Python face knows how to put.
[[noreturn]] void refuse(nb::handle self, nb::handle move) {
    self.attr("_refuse")(move);
    throw nb::value_error("illegal move");
}

void play(nb::handle self, nb::handle move) {
    Position& position = *nb::inst_ptr<Position>(self);
    const int cell = cell_of(self, move);
    if (cell < 0 || !position.is_legal(cell)) refuse(self, move);
    position.play(cell);
}

int undo(Position& position) {
    if (position.ply() == 0) throw nb::value_error("there is no move to take back");
    const int cell = position.now().cell;
    position.undo();
    return cell;
}

template <typename Fill>
nb::list int_list(Fill&& fill) {
    nb::list result;
    fill([&result](int value) { result.append(nb::int_(value)); });
    return result;
}

nb::list legal_moves(const Position& position) {
    return int_list([&](auto add) { position.for_each_legal(add); });
}

nb::list moves(const Position& position) {
    return int_list([&](auto add) {
        for (int ply = 0; ply < position.ply(); ++ply) add(position.move_at(ply));
    });
}

nb::list completing(const Position& position, int side, bool playable) {
    return int_list([&](auto add) {
        for (int w = 0; w < position.game().words(); ++w) {
            Word cells = position.completing_word(side, w);
            if (playable) cells &= position.playable_word(w);
            for_each_bit(cells, w * 64, add);
        }
    });
}

nb::list cells(const Position& position) {
    nb::list result;
    for (int cell = 0; cell < position.game().cells(); ++cell) result.append(side_object(position.at(cell)));
    return result;
}

nb::list blocks(const Position& position) {
    nb::list result;
    for (int block = 0; block < position.game().blocks(); ++block) result.append(side_object(position.owner(block)));
    return result;
}

nb::list open_blocks(const Position& position) {
    return int_list([&](auto add) {
        for (int block = 0; block < position.game().blocks(); ++block)
            if (position.free_in(block) > 0 && (position.game().open() || position.owner(block) == NOBODY)) add(block);
    });
}

bool same(const Position& a, const Position& b) {
    if (a.hash() != b.hash() || a.turn() != b.turn() || a.block_to_play() != b.block_to_play()) return false;
    for (int w = 0; w < a.game().words(); ++w)
        if (a.marks_word(X, w) != b.marks_word(X, w) || a.marks_word(O, w) != b.marks_word(O, w)) return false;
    for (int block = 0; block < a.game().blocks(); ++block)
        if (a.owner(block) != b.owner(block)) return false;
    return true;
}

// Seconds to play and take back the given playthroughs `repeats` times; a measuring tool for bench/.
double time_playthroughs(Position position, const std::vector<std::vector<int>>& playthroughs, int repeats) {
    nb::gil_scoped_release release;
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < repeats; ++i)
        for (const auto& playthrough : playthroughs) {
            for (int cell : playthrough) position.play(cell);
            for (std::size_t ply = 0; ply < playthrough.size(); ++ply) position.undo();
        }
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// True, with the exception kept, when a signal such as Ctrl-C has arrived.
bool signal_came(std::exception_ptr& raised) {
    nb::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() == 0) return false;
    raised = std::make_exception_ptr(nb::python_error());
    return true;
}

// Searches with the interpreter free for other threads; callbacks and signals take it for a moment. An exception from
// either stops the search and is raised when it has ended.
Report engine_search(Engine& engine, const Position& position, double seconds, int depth, std::uint64_t nodes, int lines, nb::object progress) {
    std::exception_ptr raised;
    const Progress report = [&](const Report& found) {
        nb::gil_scoped_acquire acquire;
        try {
            return progress.is_none() || !progress(found).is(Py_False);
        } catch (...) {
            raised = std::current_exception();
            return false;
        }
    };
    const Interrupt interrupt = [&raised] { return signal_came(raised); };
    Report found;
    {
        nb::gil_scoped_release release;
        found = engine.search(position, {seconds, depth, nodes}, lines, report, interrupt);
    }
    if (raised) std::rethrow_exception(raised);
    return found;
}

nb::tuple plain_best_moves(const Position& position, int depth, const Symmetry* symmetry) {
    std::exception_ptr raised;
    PlainSearch::Result result;
    {
        nb::gil_scoped_release release;
        result = PlainSearch(position, [&raised] { return signal_came(raised); }).best_moves(depth, symmetry);
    }
    if (raised) std::rethrow_exception(raised);
    return nb::make_tuple(result.score, result.moves, result.nodes);
}

Solved solver_solve(Solver& solver, double seconds, std::uint64_t nodes, nb::object progress) {
    std::exception_ptr raised;
    const Solver::Progress report = [&](const SolveProgress& found) {
        nb::gil_scoped_acquire acquire;
        try {
            return progress.is_none() || !progress(found).is(Py_False);
        } catch (...) {
            raised = std::current_exception();
            return false;
        }
    };
    const Interrupt interrupt = [&] { return solver.must_stop() || signal_came(raised); };
    Solved solved;
    {
        nb::gil_scoped_release release;
        solved = solver.solve({seconds, nodes}, report, interrupt);
    }
    if (raised) std::rethrow_exception(raised);
    return solved;
}

nb::tuple solver_certificate(Solver& solver) {
    std::exception_ptr raised;
    Solver::Claims claims;
    {
        nb::gil_scoped_release release;
        claims = solver.certificate([&] { return solver.must_stop() || signal_came(raised); });
    }
    if (raised) std::rethrow_exception(raised);
    return nb::make_tuple(claims.text, claims.symmetries);
}

void bind_solver(nb::module_& m) {
    nb::class_<SolveProgress>(m, "SolveProgress")
        .def_ro("nodes", &SolveProgress::nodes)
        .def_ro("seconds", &SolveProgress::seconds)
        .def_prop_ro("attacker", [](const SolveProgress& p) { return side_object(p.attacker); })
        .def_prop_ro("proof", [](const SolveProgress& p) { return p.numbers.proof; })
        .def_prop_ro("disproof", [](const SolveProgress& p) { return p.numbers.disproof; })
        .def_ro("per_mille_full", &SolveProgress::per_mille_full)
        .def_ro("line", &SolveProgress::line);
    nb::class_<Solved>(m, "Solved")
        .def_ro("lower", &Solved::lower)
        .def_ro("upper", &Solved::upper)
        .def_ro("move", &Solved::move)
        .def_ro("nodes", &Solved::nodes)
        .def_ro("seconds", &Solved::seconds);
    nb::class_<Rules>(m, "Rules")
        .def(nb::init<>())
        .def_rw("sums", &Rules::sums)
        .def_rw("dominated", &Rules::dominated)
        .def_rw("chains", &Rules::chains)
        .def_rw("zones", &Rules::zones);
    nb::class_<Solver>(m, "Solver")
        .def(nb::init<const Position&, const Symmetry&, std::size_t, Rules>(), "position"_a, "symmetry"_a, "megabytes"_a, "rules"_a = Rules{},
             nb::keep_alive<1, 3>())
        .def("solve", &solver_solve, "seconds"_a, "nodes"_a, "progress"_a.none())
        .def("certificate", &solver_certificate)
        .def("stop", &Solver::stop)
        .def("save", &Solver::save, "path"_a, nb::call_guard<nb::gil_scoped_release>())
        .def("load", &Solver::load, "path"_a, nb::call_guard<nb::gil_scoped_release>());
}

void bind_engine(nb::module_& m) {
    m.attr("WIN") = WIN;
    m.attr("DECIDED") = DECIDED;
    m.attr("BELIEVED") = BELIEVED;
    m.def("plain_best_moves", &plain_best_moves, "position"_a, "depth"_a, "symmetry"_a.none());
    m.def("forced_win", [](const Position& position, int nodes) {
        Position copy(position);
        ForcedWin search(copy.game());
        return search.search(copy, nodes) > 0 ? search.line() : std::vector<int>{};
    }, "position"_a, "nodes"_a, nb::call_guard<nb::gil_scoped_release>());
    nb::class_<RootLine>(m, "RootLine")
        .def_ro("move", &RootLine::move)
        .def_ro("score", &RootLine::score)
        .def_ro("proven", &RootLine::proven)
        .def_ro("pv", &RootLine::pv);
    nb::class_<Report>(m, "Report")
        .def_ro("depth", &Report::depth)
        .def_ro("nodes", &Report::nodes)
        .def_ro("seconds", &Report::seconds)
        .def_ro("per_mille_full", &Report::per_mille_full)
        .def_ro("lines", &Report::lines);
    nb::class_<Engine>(m, "Engine")
        .def(nb::init<int, std::size_t>(), "threads"_a, "megabytes"_a)
        .def("search", &engine_search, "position"_a, "seconds"_a, "depth"_a, "nodes"_a, "lines"_a, "progress"_a.none())
        .def("stop", &Engine::stop)
        .def("clear", &Engine::clear);
}

void bind_game(nb::module_& m) {
    nb::class_<Game>(m, "Game");
    m.def("make_game", &make_game, "cells"_a, "lines"_a, "rests_on"_a, "block_of"_a, "sends"_a, "outer_lines"_a, "misere"_a,
          "count"_a, "open"_a, "weights"_a);
    nb::class_<Weights>(m, "Weights")
        .def("__init__",
             [](Weights* self, std::vector<int> line, std::vector<int> outer, int tempo, int block, int free_move, int exposed,
                int threatened, int lined_up) {
                 new (self) Weights{std::move(line), std::move(outer), tempo, block, free_move, exposed, threatened, lined_up};
             },
             "line"_a, "outer"_a, "tempo"_a, "block"_a, "free_move"_a, "exposed"_a, "threatened"_a, "lined_up"_a);
    nb::class_<Symmetry>(m, "Symmetry")
        .def(nb::init<const Game&, const std::vector<Permutation>&, std::size_t>(), "game"_a, "geometric"_a, "limit"_a = 10000,
             nb::call_guard<nb::gil_scoped_release>())
        .def_prop_ro("orbit_sizes", &Symmetry::orbit_sizes)
        .def_prop_ro("generators", &Symmetry::generators)
        .def_prop_ro("elements", &Symmetry::elements)
        .def_prop_ro("size", [](const Symmetry& s) { return s.elements().size(); })
        .def_prop_ro("note", &Symmetry::note)
        .def("canonical_hash", &Symmetry::canonical_hash, "position"_a);
}

void bind_position(nb::module_& m) {
    nb::class_<Position>(m, "Position")
        .def(nb::init<std::shared_ptr<const Game>>(), "game"_a)
        .def(nb::init<const Position&>(), "other"_a)
        .def("__init__",
             [](Position* self, std::shared_ptr<const Game> game, const std::vector<int>& marks, int turn, int block_to_play,
                const std::vector<int>& owners) { new (self) Position(std::move(game), marks, turn, block_to_play, owners); },
             "game"_a, "cells"_a, "turn"_a, "block_to_play"_a, "owners"_a)
        .def("play", [](nb::handle self, nb::handle move) { play(self, move); }, "move"_a.none(), nb::sig("def play(self, move: int | str) -> None"))
        .def("undo", &undo)
        .def("is_legal", &is_legal, "move"_a.none(), nb::sig("def is_legal(self, move: int) -> bool"))
        .def("perft", [](Position p, int depth) { return perft(p, depth); }, "depth"_a, nb::call_guard<nb::gil_scoped_release>())
        .def("_completing", &completing, "side"_a, "playable"_a)
        .def("_same", &same, "other"_a)
        .def_prop_ro("legal_moves", &legal_moves)
        .def_prop_ro("moves", &moves)
        .def_prop_ro("ply", &Position::ply)
        .def_prop_ro("last_move", [](const Position& p) { return p.ply() ? nb::object(nb::int_(static_cast<int>(p.now().cell))) : nb::none(); })
        .def_prop_ro("turn", [](const Position& p) { return p.is_over() ? nb::none() : side_object(p.turn()); })
        .def_prop_ro("is_over", &Position::is_over)
        .def_prop_ro("winner", [](const Position& p) { return side_object(p.winner()); })
        .def_prop_ro("_line_winner", [](const Position& p) { return side_object(p.line_winner()); })
        .def_prop_ro("cells", &cells)
        .def_prop_ro("blocks", &blocks)
        .def_prop_ro("open_blocks", &open_blocks)
        .def_prop_ro("block_to_play", [](const Position& p) {
            return p.block_to_play() < 0 || p.is_over() ? nb::none() : nb::object(nb::int_(p.block_to_play()));
        })
        .def_prop_ro("hash", &Position::hash)
        .def_prop_ro("_key", &Position::key)
        .def_prop_ro("_score", &Position::score)
        .def_prop_ro("_winning_line", &Position::winning_line)
        .def_prop_ro("_bytes", &Position::bytes);
}

}  // namespace

NB_MODULE(_core, m) {
    nb::set_leak_warnings(false);  // games kept until the interpreter ends are no leak
    m.doc() = "The compiled core of noughts; use the package `noughts` instead.";
    m.attr("MAX_CELLS") = MAX_CELLS;
    m.attr("MAX_LINES") = MAX_LINES;
    m.attr("MAX_LINE_LENGTH") = MAX_LINE_LENGTH;
    m.attr("MAX_GUARDS") = MAX_GUARDS;
    m.def("register_sides", &register_sides, "x"_a, "o"_a);
    m.def("time_playthroughs", &time_playthroughs, "position"_a, "playthroughs"_a, "repeats"_a);
    bind_game(m);
    bind_position(m);
    bind_engine(m);
    bind_solver(m);
}
