// The Python module: thin, and the only file here that knows of Python.
// The hot methods (play, undo, legal_moves, ...) are here; everything with words in it is in noughts.games.
// The core asserts its preconditions; this file checks them, so that no call from Python, however wrong, can break one.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <system_error>
#include <thread>

#include "rules/position.hpp"
#include "rules/symmetry.hpp"
#include "search/engine.hpp"
#include "search/fixed_depth.hpp"
#include "search/network.hpp"
#include "solve/solver.hpp"
#include "support/process.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace noughts;

namespace {

constexpr int MAX_THREADS = 256;
constexpr std::size_t MAX_MEGABYTES = std::size_t{1} << 20;
constexpr int MAX_FIXED_DEPTH = 32;
constexpr auto EXIT_TIMEOUT = std::chrono::seconds(5);

// --- the interpreter ----------------------------------------------------------------------------------------------

// Python ends threads that ask for the interpreter lock while it finalizes, which C++ does not survive. They hang here
// instead until the process ends.
[[noreturn]] void hang_thread() {
    for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
}

bool is_python_finalizing() {
#if PY_VERSION_HEX >= 0x030d0000
    return Py_IsFinalizing();
#else
    return _Py_IsFinalizing();
#endif
}

// Releases the interpreter lock while the core works. No Python object may be touched meanwhile, positions included.
class GilRelease {
  public:
    GilRelease() : call_(std::in_place), state_(PyEval_SaveThread()) {
        if (is_shutting_down()) hang();
    }
    ~GilRelease() {
        if (is_python_finalizing()) hang();
        PyEval_RestoreThread(state_);
    }
    [[noreturn]] void hang() {
        call_.reset();
        hang_thread();
    }
    GilRelease(const GilRelease&) = delete;
    GilRelease& operator=(const GilRelease&) = delete;

  private:
    std::optional<RunningCall> call_;  // until the interpreter lock is taken back
    PyThreadState* state_;
};

// Takes the interpreter lock back for a moment within a GilRelease.
class GilAcquire {
    struct Check {
        Check() {
            if (is_python_finalizing()) hang_thread();
        }
    } check_;
    nb::gil_scoped_acquire acquire_;
};

// Whether the work must end: because Python does, because a signal such as Ctrl-C has arrived, or because `watch`
// raised. Then `raised` keeps the exception.
bool must_end(std::exception_ptr& raised, const nb::object* watch = nullptr) {
    if (raised || is_shutting_down()) return true;
    const GilAcquire acquired;
    try {
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        if (watch && !watch->is_none()) (*watch)();
        return false;
    } catch (...) {
        raised = std::current_exception();
        return true;
    }
}

// Returns the result of `work(interrupt)`, which runs without the interpreter lock. Raises the exception that stopped
// it; work that has no result when it is stopped throws Interrupted.
template <typename Work>
auto run_without_gil(Work&& work, const nb::object* watch = nullptr) {
    std::exception_ptr raised;
    const Interrupt interrupt = [&raised, watch] { return must_end(raised, watch); };
    std::optional<decltype(work(interrupt))> result;
    {
        GilRelease released;
        try {
            result = work(interrupt);
        } catch (const Interrupted&) {
            if (!raised) released.hang();
        }
    }
    if (raised) std::rethrow_exception(raised);
    return std::move(*result);
}

// Lets one thread at a time into an object of the core.
class InUse {
  public:
    class Lock {
      public:
        Lock(InUse& in_use, const char* what) : in_use_(in_use) {
            if (in_use_.taken_.exchange(true))
                throw std::runtime_error(std::string("this ") + what + " is at work in another thread");
        }
        ~Lock() { in_use_.taken_.store(false); }
        Lock(const Lock&) = delete;
        Lock& operator=(const Lock&) = delete;

      private:
        InUse& in_use_;
    };

  private:
    std::atomic<bool> taken_{false};
};

// --- checks -------------------------------------------------------------------------------------------------------

void require(bool holds, const std::string& message) {
    if (!holds) throw nb::value_error(message.c_str());
}

template <typename Number>
void require_range(const char* what, Number value, Number low, Number high) {
    require(low <= value && value <= high, std::string("expected ") + what + " from " + std::to_string(low) + " to " +
                                               std::to_string(high) + ", got " + std::to_string(value));
}

void require_running(const Position& position) {
    require(!position.is_over(), "expected a position to move in, but the game is over");
}

void require_seconds(double seconds) {
    require(std::isfinite(seconds) && seconds >= 0,
            "expected seconds as a finite number from 0 (no limit), got " + std::to_string(seconds));
}

void require_own(const Symmetry& symmetry, const Position& position) {
    require(symmetry.belongs_to(position.game()),
            "expected the symmetries of the position's own game, got those of another");
}

// --- games and positions ------------------------------------------------------------------------------------------

PerSide<PyObject*> side_objects;  // noughts.games.Side.X and .O, for as long as Python runs

nb::object side_object(Side side) {
    if (side == NOBODY) return nb::none();
    return side_objects[side] ? nb::borrow(side_objects[side]) : nb::int_(index(side));
}

void register_sides(nb::object x, nb::object o) {
    side_objects[X] = x.release().ptr();
    side_objects[O] = o.release().ptr();
}

std::shared_ptr<const Game> make_game(int cells, std::vector<std::pair<std::vector<int>, std::vector<int>>> lines,
                                      std::vector<std::vector<int>> rests_on, std::vector<int> block_of,
                                      std::vector<int> sends, std::vector<std::vector<int>> outer_lines, bool misere,
                                      bool counts_blocks, bool keeps_won_blocks_open, Weights weights,
                                      nb::bytes network) {
    GameData data;
    data.cells = cells;
    for (auto& [line, guards] : lines) data.lines.push_back({std::move(line), std::move(guards)});
    data.rests_on = std::move(rests_on);
    data.block_of = std::move(block_of);
    data.sends = std::move(sends);
    data.outer_lines = std::move(outer_lines);
    data.misere = misere;
    data.counts_blocks = counts_blocks;
    data.keeps_won_blocks_open = keeps_won_blocks_open;
    data.weights = std::move(weights);
    const auto* bytes = static_cast<const std::uint8_t*>(network.data());
    data.network.assign(bytes, bytes + network.size());
    return std::make_shared<const Game>(std::move(data));
}

// The cell a move names, or -1 when it is an integer but no cell. Text is read by the Python face.
int cell_of(nb::handle self, nb::handle move) {
    nb::object number;
    if (PyUnicode_Check(move.ptr())) {
        if (!nb::hasattr(self, "parse_move")) throw nb::type_error("expected a move as a cell number, got str");
        number = self.attr("parse_move")(move);
    } else if (PyBool_Check(move.ptr()) || !PyIndex_Check(move.ptr())) {
        const std::string kind = move.is_none() ? "None" : nb::type_name(move.type()).c_str();
        throw nb::type_error(("expected a move as a cell number or as text, got " + kind).c_str());
    } else {
        number = nb::steal(PyNumber_Index(move.ptr()));
    }
    if (!number.is_valid()) throw nb::python_error();
    int overflow = 0;
    const long cell = PyLong_AsLongAndOverflow(number.ptr(), &overflow);
    if (cell == -1 && overflow == 0 && PyErr_Occurred()) throw nb::python_error();
    return overflow != 0 || cell < 0 || cell >= MAX_CELLS ? -1 : static_cast<int>(cell);
}

// The position in a Python object of any kind.
Position& position_in(nb::handle self) {
    Position* position = nullptr;
    if (!nb::try_cast(self, position) || !position)
        throw nb::type_error("expected a position that was set up by Position.__init__");
    return *position;
}

bool is_legal(nb::handle self, nb::handle move) {
    const Position& position = position_in(self);
    if (PyUnicode_Check(move.ptr())) throw nb::type_error("expected a move as a cell number, got str");
    return position.is_legal(cell_of(self, move));
}

// Raises IllegalMove with the reason, which the Python face knows how to put.
[[noreturn]] void refuse(nb::handle self, nb::handle move) {
    if (nb::hasattr(self, "_refuse")) self.attr("_refuse")(move);
    throw nb::value_error("illegal move");
}

void play(nb::handle self, nb::handle move) {
    Position& position = position_in(self);
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

std::uint64_t count_playthroughs(const Position& position, int depth) {
    require(depth >= 0, "expected a depth from 0, got " + std::to_string(depth));
    Position copy(position);
    return run_without_gil([&](const Interrupt& interrupt) { return perft(copy, depth, interrupt); });
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

Side side_from(int number) {
    require(number == index(X) || number == index(O),
            "expected a side as 0 (X) or 1 (O), got " + std::to_string(number));
    return side_at(number);
}

nb::list completing(const Position& position, int side, bool playable) {
    const auto cells = position.completing_cells(side_from(side));
    return int_list([&](auto add) {
        if (playable)
            (cells & position.playable_cells()).for_each(add);
        else
            cells.for_each(add);
    });
}

nb::list cells(const Position& position) {
    nb::list result;
    for (int cell = 0; cell < position.game().cells(); ++cell) result.append(side_object(position.at(cell)));
    return result;
}

nb::list blocks(const Position& position) {
    nb::list result;
    for (int block = 0; block < position.game().blocks(); ++block)
        result.append(side_object(winner_of(position.owner(block))));
    return result;
}

nb::list open_blocks(const Position& position) {
    return int_list([&](auto add) {
        for (int block = 0; block < position.game().blocks(); ++block)
            if (position.free_in(block) > 0 && (position.game().keeps_won_blocks_open() || !position.is_decided(block)))
                add(block);
    });
}

bool same(const Position& a, const Position& b) {
    if (a.game().cells() != b.game().cells() || a.game().blocks() != b.game().blocks()) return false;
    if (a.hash() != b.hash() || a.turn() != b.turn() || a.block_to_play() != b.block_to_play()) return false;
    for (Side side : BOTH_SIDES)
        if (a.marks(side) != b.marks(side)) return false;
    for (int block = 0; block < a.game().blocks(); ++block)
        if (a.owner(block) != b.owner(block)) return false;
    return true;
}

// Seconds to play and take back the given playthroughs `repeats` times; a measuring tool for bench/.
double time_playthroughs(const Position& from, const std::vector<std::vector<int>>& playthroughs, int repeats) {
    require(repeats >= 0, "expected repeats from 0, got " + std::to_string(repeats));
    Position position(from);
    for (const auto& playthrough : playthroughs) {
        for (int cell : playthrough) {
            require(position.is_legal(cell), "expected playthroughs of legal moves, got " + std::to_string(cell));
            position.play(cell);
        }
        for (std::size_t ply = 0; ply < playthrough.size(); ++ply) position.undo();
    }
    return run_without_gil([&](const Interrupt& interrupt) {
        const auto start = std::chrono::steady_clock::now();
        for (int i = 0; i < repeats; ++i) {
            for (const auto& playthrough : playthroughs) {
                for (int cell : playthrough) position.play(cell);
                for (std::size_t ply = 0; ply < playthrough.size(); ++ply) position.undo();
            }
            if (i % 1024 == 1023 && interrupt()) throw Interrupted{};
        }
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    });
}

int estimate(const Position& position) {
    require_running(position);
    return position.game().data().network.empty() ? evaluate(position)
                                                  : NetworkEvaluator(network_of(position.game())).evaluate(position);
}

std::uint64_t canonical_hash(const Symmetry& symmetry, const Position& position) {
    require_own(symmetry, position);
    return symmetry.canonical_hash(position);
}

nb::tuple least_image(const Symmetry& symmetry, const Position& position) {
    require_own(symmetry, position);
    const Position copy(position);
    const auto image = run_without_gil([&](const Interrupt&) { return symmetry.least_image(copy); });
    return nb::make_tuple(image.marks, image.block_to_play, image.owners, symmetry.elements()[image.element]);
}

Symmetry find_symmetries(const Game& game, const std::vector<Permutation>& geometric, std::size_t limit) {
    require_range<std::size_t>("a limit", limit, 1, MAX_SYMMETRIES);
    return run_without_gil([&](const Interrupt& interrupt) { return Symmetry(game, geometric, limit, interrupt); });
}

// --- searches -----------------------------------------------------------------------------------------------------

// The core's classes, safe to use from several Python threads.
struct SharedEngine : Engine {
    SharedEngine(int threads, std::size_t megabytes) : Engine(checked(threads), checked(megabytes)) {}
    InUse in_use;

  private:
    static int checked(int threads) {
        require_range("threads", threads, 1, MAX_THREADS);
        return threads;
    }
    static std::size_t checked(std::size_t megabytes) {
        require_range<std::size_t>("megabytes", megabytes, 1, MAX_MEGABYTES);
        return megabytes;
    }
};

struct SharedSolver : Solver {
    SharedSolver(const Position& position, const Symmetry& symmetry, std::size_t megabytes)
        : Solver(position, checked(symmetry, position, megabytes), megabytes) {}
    InUse in_use;
    std::atomic<std::thread::id> reporting{};  // the thread that is in a progress callback of this solver

  private:
    static const Symmetry& checked(const Symmetry& symmetry, const Position& position, std::size_t megabytes) {
        require_running(position);
        require_own(symmetry, position);
        require_range<std::size_t>("megabytes", megabytes, 1, MAX_MEGABYTES);
        return symmetry;
    }
};

// Whether to continue: unless the Python callback returns False or raises; `raised` keeps its exception.
template <typename Found>
bool report_to(nb::object& progress, const Found& found, std::exception_ptr& raised) {
    const GilAcquire acquired;
    try {
        return !progress(found).is(Py_False);
    } catch (...) {
        raised = std::current_exception();
        return false;
    }
}

// A move to add to those that are known at the root, checked: the search relies on each being legal, proven and there
// once.
Root::Known known_move(const Position& position, const Root& root, int move, int score) {
    require(move >= 0 && move < position.game().cells() && position.is_legal(move),
            "expected legal moves as known, got " + std::to_string(move));
    require(score == 0 || (is_decided(score) && score >= -WIN && score <= WIN),
            "expected a proven score, got " + std::to_string(score));
    const bool is_new =
        std::none_of(root.known.begin(), root.known.end(), [move](const auto& known) { return known.move == move; });
    require(is_new, "expected each known move once, got " + std::to_string(move) + " again");
    return {move, score};
}

// Searches with the interpreter free for other threads; callbacks and signals take it for a moment. An exception from
// either stops the search and is raised when it has ended.
Report engine_search(SharedEngine& engine, const Position& position, double seconds, int depth, std::uint64_t nodes,
                     int lines, nb::object progress, const Symmetry* symmetry,
                     const std::vector<std::pair<int, int>>& known, bool prompt) {
    require_running(position);
    require_seconds(seconds);
    require_range("depth", depth, 0, MAX_CELLS);
    require_range("lines", lines, 1, position.game().cells());
    if (symmetry) require_own(*symmetry, position);
    Root root{symmetry, {}, prompt};
    for (auto [move, score] : known) root.known.push_back(known_move(position, root, move, score));
    const InUse::Lock lock(engine.in_use, "engine");
    const Position copy(position);
    std::exception_ptr raised;
    Progress report;
    if (!progress.is_none()) report = [&](const Report& found) { return report_to(progress, found, raised); };
    const Interrupt interrupt = [&raised] { return must_end(raised); };
    Report found;
    {
        const GilRelease released;
        found = engine.search(copy, {seconds, nodes, depth}, lines, report, interrupt, root);
    }
    if (raised) std::rethrow_exception(raised);
    return found;
}

nb::tuple fixed_depth_best_moves(const Position& position, int depth, const Symmetry* symmetry,
                                 const nb::object& watch) {
    require_running(position);
    require_range("depth", depth, 1, MAX_FIXED_DEPTH);
    if (symmetry) require_own(*symmetry, position);
    const Position copy(position);
    const auto [result, nodes] = run_without_gil(
        [&](const Interrupt& interrupt) {
            WorkLimit limit({}, interrupt);
            auto found = FixedDepthSearch(copy, limit).best_moves(depth, symmetry);
            if (limit.is_spent()) throw Interrupted{};
            return std::pair(std::move(found), limit.nodes());
        },
        &watch);
    return nb::make_tuple(result.score, result.moves, nodes);
}

std::vector<int> forced_win(const Position& position, int nodes) {
    require(position.game().blocks() == 1 && completing_wins(position.game()),
            "expected a game of one block in which a line wins");
    require_range("nodes", nodes, 0, 10'000'000);
    Position copy(position);
    return run_without_gil([&](const Interrupt&) {
        ThreatSearch search(copy.game());
        return search.search(copy, nodes) > 0 ? search.line() : std::vector<int>{};
    });
}

SolveResult solver_solve(SharedSolver& solver, double seconds, std::uint64_t nodes, nb::object progress) {
    require_seconds(seconds);
    const InUse::Lock lock(solver.in_use, "solver");
    std::exception_ptr raised;
    Solver::Progress report;
    if (!progress.is_none())
        report = [&](const SolveProgress& found) {
            solver.reporting = std::this_thread::get_id();
            const bool wanted = report_to(progress, found, raised);
            solver.reporting = std::thread::id{};
            return wanted;
        };
    const Interrupt interrupt = [&] { return must_end(raised); };
    SolveResult solved;
    {
        const GilRelease released;
        solved = solver.solve({seconds, nodes}, report, interrupt);
    }
    if (raised) std::rethrow_exception(raised);
    return solved;
}

nb::tuple solver_certificate(SharedSolver& solver) {
    const InUse::Lock lock(solver.in_use, "solver");
    require(solver.is_solved(), "expected a position that is solved, but its value is not known yet");
    const auto claims = run_without_gil([&](const Interrupt& interrupt) { return solver.certificate(interrupt); });
    return nb::make_tuple(claims.text, claims.symmetries);
}

// `write` takes bytes, as a file's does; what it raises ends the save. A progress callback may save what it reports on.
void solver_save(SharedSolver& solver, nb::callable write) {
    std::optional<InUse::Lock> lock;
    if (solver.reporting.load() != std::this_thread::get_id()) lock.emplace(solver.in_use, "solver");
    const GilRelease released;
    SnapshotWriter out([&](std::span<const char> bytes) {
        const GilAcquire acquired;
        write(nb::bytes(bytes.data(), bytes.size()));
    });
    solver.save(out);
}

// `read` is asked for a number of bytes and returns at most that many, none at the end.
void solver_load(SharedSolver& solver, nb::callable read) {
    const InUse::Lock lock(solver.in_use, "solver");
    const GilRelease released;
    SnapshotReader in([&](std::span<char> room) {
        const GilAcquire acquired;
        const auto bytes = nb::cast<nb::bytes>(read(room.size()));
        const std::size_t size = std::min(room.size(), bytes.size());
        std::copy_n(bytes.c_str(), size, room.data());
        return size;
    });
    solver.load(in);
}

bool solver_turn_to(SharedSolver& solver, const Position& position) {
    const InUse::Lock lock(solver.in_use, "solver");
    require_running(position);
    require(solver.is_of(position.game()), "expected a position of the solver's own game, got one of another");
    return solver.turn_to(position);
}

void bind_solver(nb::module_& m) {
    nb::class_<SolveProgress>(m, "SolveProgress")
        .def_ro("nodes", &SolveProgress::nodes)
        .def_ro("seconds", &SolveProgress::seconds)
        .def_prop_ro("attacker", [](const SolveProgress& p) { return side_object(p.attacker); })
        .def_prop_ro("proof", [](const SolveProgress& p) { return p.numbers.proof; })
        .def_prop_ro("disproof", [](const SolveProgress& p) { return p.numbers.disproof; })
        .def_ro("hashfull", &SolveProgress::hashfull)
        .def_ro("line", &SolveProgress::line);
    nb::class_<SolveResult>(m, "SolveResult")
        .def_ro("lower", &SolveResult::lower)
        .def_ro("upper", &SolveResult::upper)
        .def_ro("move", &SolveResult::move)
        .def_ro("move_is_proven", &SolveResult::move_is_proven)
        .def_ro("nodes", &SolveResult::nodes)
        .def_ro("seconds", &SolveResult::seconds);
    nb::class_<SharedSolver>(m, "Solver")
        .def(nb::init<const Position&, const Symmetry&, std::size_t>(), "position"_a, "symmetry"_a, "megabytes"_a,
             nb::keep_alive<1, 3>())
        .def("solve", &solver_solve, "seconds"_a, "nodes"_a, "progress"_a.none())
        .def("certificate", &solver_certificate)
        .def("turn_to", &solver_turn_to, "position"_a)
        .def("stop", [](SharedSolver& solver) { solver.stop(); })
        .def("save", &solver_save, "write"_a)
        .def("load", &solver_load, "read"_a);
}

void bind_engine(nb::module_& m) {
    m.attr("WIN") = WIN;
    m.attr("DECIDED") = DECIDED;
    m.attr("BELIEVED") = BELIEVED;
    m.def("fixed_depth_best_moves", &fixed_depth_best_moves, "position"_a, "depth"_a, "symmetry"_a.none(),
          "watch"_a.none() = nb::none());
    m.def("forced_win", &forced_win, "position"_a, "nodes"_a);
    nb::class_<RootLine>(m, "RootLine")
        .def_ro("move", &RootLine::move)
        .def_ro("score", &RootLine::score)
        .def_ro("proven", &RootLine::proven)
        .def_ro("pv", &RootLine::pv);
    nb::class_<Report>(m, "Report")
        .def_ro("depth", &Report::depth)
        .def_ro("nodes", &Report::nodes)
        .def_ro("seconds", &Report::seconds)
        .def_ro("hashfull", &Report::hashfull)
        .def_ro("lines", &Report::lines);
    nb::class_<SharedEngine>(m, "Engine")
        .def(nb::init<int, std::size_t>(), "threads"_a, "megabytes"_a)
        .def("search", &engine_search, "position"_a, "seconds"_a, "depth"_a, "nodes"_a, "lines"_a, "progress"_a.none(),
             "symmetry"_a.none() = nb::none(), "known"_a = std::vector<std::pair<int, int>>{}, "prompt"_a = false)
        .def("stop", [](SharedEngine& engine) { engine.stop(); })
        .def("clear", [](SharedEngine& engine) {
            const InUse::Lock lock(engine.in_use, "engine");
            engine.clear();
        });
}

void bind_game(nb::module_& m) {
    nb::class_<Game>(m, "Game");
    m.def("make_game", &make_game, "cells"_a, "lines"_a, "rests_on"_a, "block_of"_a, "sends"_a, "outer_lines"_a,
          "misere"_a, "counts_blocks"_a, "keeps_won_blocks_open"_a, "weights"_a, "network"_a = nb::bytes("", 0));
    nb::class_<Weights>(m, "Weights")
        .def(
            "__init__",
            [](Weights* self, std::vector<int> line, std::vector<int> outer, int tempo, int block, int free_move,
               int exposed, int threatened, int lined_up) {
                new (self)
                    Weights{std::move(line), std::move(outer), tempo, block, free_move, exposed, threatened, lined_up};
            },
            "line"_a, "outer"_a, "tempo"_a, "block"_a, "free_move"_a, "exposed"_a, "threatened"_a, "lined_up"_a);
    nb::class_<Symmetry>(m, "Symmetry")
        .def(
            "__init__",
            [](Symmetry* self, const Game& game, const std::vector<Permutation>& geometric, std::size_t limit) {
                new (self) Symmetry(find_symmetries(game, geometric, limit));
            },
            "game"_a, "geometric"_a, "limit"_a = MAX_SYMMETRIES)
        .def_prop_ro("orbit_sizes", &Symmetry::orbit_sizes)
        .def_prop_ro("generators", &Symmetry::generators)
        .def_prop_ro("elements", &Symmetry::elements)
        .def_prop_ro("size", [](const Symmetry& s) { return s.elements().size(); })
        .def_prop_ro("note", &Symmetry::note)
        .def_prop_ro("bytes", &Symmetry::bytes)
        .def("canonical_hash", &canonical_hash, "position"_a)
        .def("least_image", &least_image, "position"_a);
}

void bind_position(nb::module_& m) {
    nb::class_<Position>(m, "Position")
        .def(nb::init<std::shared_ptr<const Game>>(), "game"_a)
        .def(nb::init<const Position&>(), "other"_a)
        .def(
            "__init__",
            [](Position* self, std::shared_ptr<const Game> game, const std::vector<int>& marks, int turn,
               int block_to_play, const std::vector<int>& owners) {
                require(turn == index(X) || turn == index(O), "expected the side to move as 0 (X) or 1 (O)");
                new (self) Position(std::move(game), marks, side_at(turn), block_to_play, owners);
            },
            "game"_a, "cells"_a, "turn"_a, "block_to_play"_a, "owners"_a)
        .def("play", &play, "move"_a.none(), nb::sig("def play(self, move: int | str) -> None"),
             "Make a move: a cell number, or its text such as \"b2\".\n\n"
             "Raises IllegalMove, with the reason, for a number that is not a legal move, InvalidNotation for a text "
             "that\n"
             "names no cell (both are ValueErrors), and TypeError for anything else. The position is then as before.")
        .def("undo", &undo, nb::sig("def undo(self) -> int"),
             "Take the last move back and return it. Raises ValueError when no move was made.")
        .def("is_legal", &is_legal, "move"_a.none(), nb::sig("def is_legal(self, move: int) -> bool"),
             "Whether a cell number is a legal move now; any other number is not. Raises TypeError for text.")
        .def(
            "perft", &count_playthroughs, "depth"_a, nb::sig("def perft(self, depth: int) -> int"),
            "Return how many sequences of exactly `depth` moves there are from here: the usual test of a move "
            "generator.\n\n"
            "A finished game goes no further. The position is left as it was; Ctrl-C ends a count that takes too long.")
        .def("_completing", &completing, "side"_a, "playable"_a)
        .def("_same", &same, "other"_a)
        .def_prop_ro("legal_moves", &legal_moves,
                     "The legal moves as cell numbers, in ascending order; none when the game is over.")
        .def_prop_ro("moves", &moves,
                     "The moves made since the start, or since the position was set up, as cell numbers.")
        .def_prop_ro("ply", &Position::ply,
                     "How many moves were made since the start, or since the position was set up.")
        .def_prop_ro(
            "last_move",
            [](const Position& p) {
                return p.ply() ? nb::object(nb::int_(static_cast<int>(p.now().cell))) : nb::none();
            },
            "The last move made, or None.")
        .def_prop_ro(
            "turn", [](const Position& p) { return p.is_over() ? nb::none() : side_object(p.turn()); },
            "The side to move, or None when the game is over.")
        .def_prop_ro("is_over", &Position::is_over, "Whether the game is over.")
        .def_prop_ro(
            "winner", [](const Position& p) { return side_object(p.winner()); },
            "The side that has won, or None for a draw and while the game is not over.")
        .def_prop_ro("_line_winner", [](const Position& p) { return side_object(p.line_winner()); })
        .def_prop_ro("cells", &cells, "The mark on each cell: Side.X, Side.O or None.")
        .def_prop_ro("blocks", &blocks,
                     "The owner of each block: Side.X, Side.O, or None while it is undecided and when it is full "
                     "without a line.")
        .def_prop_ro("open_blocks", &open_blocks,
                     "The blocks that can still be played in, regardless of where the last move sends.")
        .def_prop_ro(
            "block_to_play",
            [](const Position& p) {
                return p.block_to_play() < 0 || p.is_over() ? nb::none() : nb::object(nb::int_(p.block_to_play()));
            },
            "The block the last move sends to, from 0, or None when any open block may be played in.")
        .def_prop_ro("hash", &Position::hash,
                     "A 64-bit hash of the position, equal for equal positions of one game: a key for dictionaries.")
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
    m.attr("MAX_THREADS") = MAX_THREADS;
#ifdef NOUGHTS_SANITIZED
    m.attr("SANITIZED") = true;
#else
    m.attr("SANITIZED") = false;
#endif
    m.def("register_sides", &register_sides, "x"_a, "o"_a);
    m.def("estimate", &estimate, "position"_a);
    m.def("_time_playthroughs", &time_playthroughs, "position"_a, "playthroughs"_a, "repeats"_a);
    nb::register_exception_translator([](const std::exception_ptr& raised, void*) {
        try {
            std::rethrow_exception(raised);
        } catch (const std::system_error& error) {
            PyErr_SetString(PyExc_OSError, error.what());
        }
    });
    watch_forks();
    nb::module_::import_("atexit").attr("register")(nb::cpp_function([] {
        const nb::gil_scoped_release release;
        shut_down(EXIT_TIMEOUT);
    }));
    bind_game(m);
    bind_position(m);
    bind_engine(m);
    bind_solver(m);
}
