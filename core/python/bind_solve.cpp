// The solver.
#include <algorithm>
#include <ctime>
#include <thread>

#include "python/binding.hpp"
#include "solve/quiet_win/quiet_win_certificate.hpp"
#include "solve/solver.hpp"

namespace noughts::python {
namespace {

// A solver that several Python threads may share.
struct SharedSolver : Solver {
    SharedSolver(const Position& position, const Symmetry& symmetry, std::size_t megabytes, int threads)
        : Solver(position, checked(symmetry, position, megabytes), megabytes, checked_threads(threads)) {}
    InUse in_use;
    std::atomic<std::thread::id> reporting{};  // the thread that is running a progress callback of this solver

  private:
    static const Symmetry& checked(const Symmetry& symmetry, const Position& position, std::size_t megabytes) {
        require_solvable(position, symmetry);
        checked_megabytes(megabytes);
        return symmetry;
    }
};

SolveResult solve(SharedSolver& solver, double seconds, std::uint64_t nodes, nb::object progress,
                  double report_seconds) {
    require_seconds(seconds);
    require_seconds(report_seconds);
    const InUse::Lock lock(solver.in_use, "solver");
    Call call;
    Solver::Progress report;
    if (const auto callback = call.report_to<SolveProgress>(progress))
        report = [&solver, callback](const SolveProgress& found) {
            solver.reporting = std::this_thread::get_id();
            const bool wanted = callback(found);
            solver.reporting = std::thread::id{};
            return wanted;
        };
    return call.run([&] { return solver.solve({seconds, nodes, 0, report_seconds}, report, call.interrupt()); });
}

nb::tuple certificate(SharedSolver& solver, nb::object progress) {
    const InUse::Lock lock(solver.in_use, "solver");
    require_solved(solver);
    Call call;
    Solver::CertificateReport report;
    if (!progress.is_none())
        report = [&](const CertificateProgress& found) {
            return call.ask([&] {
                progress(found.nodes, found.seconds, found.walked);
                return true;
            });
        };
    const Certificate written = call.run([&] { return solver.certificate(call.interrupt(), report); });
    return nb::make_tuple(written.text, written.symmetries);
}

void save_table(SharedSolver& solver, nb::callable write) {
    std::optional<InUse::Lock> lock;
    if (solver.reporting.load() != std::this_thread::get_id()) lock.emplace(solver.in_use, "solver");
    const GilRelease released;
    SnapshotWriter out([&](std::span<const char> bytes) {
        const GilAcquire acquired;
        write(nb::bytes(bytes.data(), bytes.size()));
    });
    solver.save(out);
}

void load_table(SharedSolver& solver, nb::callable read) {
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

bool turn_to(SharedSolver& solver, const Position& position) {
    const InUse::Lock lock(solver.in_use, "solver");
    require_same_game(solver, position);
    return solver.turn_to(position);
}

// Of this process (on Windows the time since it began): a search on a busy machine gets as much as on a quiet one.
double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// Width, moves and variation of QuietWinSearch::Settings.
using QuietSettings = std::tuple<int, int, int, int, int>;

// The certificate of a win by quiet moves, or None, and the nodes of the search. The limit is on processor time.
std::pair<std::optional<std::string>, std::uint64_t> find_quiet_win(const Position& position, int attacker,
                                                                    const QuietSettings& settings, double seconds,
                                                                    std::size_t megabytes) {
    require_seconds(seconds);
    const auto [width, reply_moves, attack_moves, pass_moves, variation] = settings;
    const auto is_fair = [](int moves) { return moves >= 1 && moves <= 1'000'000; };
    if (!QuietWinSearch::supports(position.game()) || position.is_over())
        throw std::invalid_argument("expected a position that is not over, of a game with wins by quiet moves");
    if (width < 1 || width > 40 || variation < 0)
        throw std::invalid_argument("expected a width of 1 to 40 and a variation of at least 0");
    if (!is_fair(reply_moves) || !is_fair(attack_moves) || !is_fair(pass_moves))
        throw std::invalid_argument("expected searches of 1 to 1,000,000 moves");
    Call call;
    return call.run([&]() -> std::pair<std::optional<std::string>, std::uint64_t> {
        QuietWinSearch search(position, checked_megabytes(megabytes),
                              {width, reply_moves, attack_moves, pass_moves, variation});
        const double end = processor_seconds() + seconds;
        WorkLimit unlimited({}, call.interrupt());
        WorkLimit limit({},
                        [&, ask = call.interrupt()] { return ask() || (seconds > 0 && processor_seconds() > end); });
        if (!search.search(side_from(attacker), limit).is_proved()) return {std::nullopt, limit.nodes()};
        return {QuietWinCertificate(search, unlimited).write(MOST_CERTIFICATE_NODES).text, limit.nodes()};
    });
}

void bind_results(nb::module_& m) {
    nb::class_<SolveProgress>(m, "SolveProgress", "How far a solve has come.")
        .def_ro("nodes", &SolveProgress::nodes)
        .def_ro("seconds", &SolveProgress::seconds)
        .def_prop_ro(
            "attacker", [](const SolveProgress& p) { return side_object(p.attacker); },
            "The side whose win is in question.")
        .def_prop_ro(
            "proof", [](const SolveProgress& p) { return p.numbers.proof; },
            "The proof number of the position; this and the other are 0 in an exhaustive search.")
        .def_prop_ro(
            "disproof", [](const SolveProgress& p) { return p.numbers.disproof; },
            "The disproof number of the position.")
        .def_prop_ro(
            "share",
            [](const SolveProgress& p) -> std::optional<std::tuple<double, double, double>> {
                if (!p.share.is_known()) return std::nullopt;
                return std::tuple{p.share.estimate, p.share.low, p.share.high};
            },
            "The estimated share of the work that is done, and its range; None while it is unknown.")
        .def_prop_ro(
            "hashfull", [](const SolveProgress& p) { return p.table.hashfull; }, "Per mille of the table in use.")
        .def_prop_ro(
            "table_bytes", [](const SolveProgress& p) { return p.table.bytes; }, "Memory of the table, so far.")
        .def_ro("line", &SolveProgress::path, "The moves to where the search is.");
    nb::class_<SolveResult>(m, "SolveResult", "Proven bounds of the value for the side to move: -1, 0 or 1.")
        .def_ro("lower", &SolveResult::lower)
        .def_ro("upper", &SolveResult::upper)
        .def_ro("move", &SolveResult::move, "A legal move that keeps the lower bound, or resists.")
        .def_ro("move_is_proven", &SolveResult::move_is_proven, "Whether the move is known to keep the lower bound.")
        .def_ro("nodes", &SolveResult::nodes)
        .def_ro("seconds", &SolveResult::seconds)
        .def_prop_ro(
            "proof", [](const SolveResult& result) { return result.numbers.proof; },
            "The proof number of the last question; this and the other are 0 in an exhaustive search.")
        .def_prop_ro(
            "disproof", [](const SolveResult& result) { return result.numbers.disproof; },
            "The disproof number of the last question.");
}

}  // namespace

void bind_solve(nb::module_& m) {
    bind_results(m);
    m.def("find_quiet_win", &find_quiet_win, "position"_a, "attacker"_a, "settings"_a, "seconds"_a, "megabytes"_a,
          "Search for a win by quiet moves: return the text of its certificate, or None, and the nodes of the search.\n"
          "The settings are the number of moves looked at first and a factor of the work on each reply.");
    nb::class_<SharedSolver>(m, "Solver", "Solves one position, in one or several runs.")
        .def(nb::init<const Position&, const Symmetry&, std::size_t, int>(), "position"_a, "symmetry"_a, "megabytes"_a,
             "threads"_a = 1, nb::keep_alive<1, 3>())
        .def("solve", &solve, "seconds"_a, "nodes"_a, "progress"_a.none(), "report_seconds"_a = 0.25,
             "Continue the solve. A limit of 0 means none; `progress` returns False to end the run.")
        .def(
            "certificate", &certificate, "progress"_a = nb::none(),
            "Return the text of the certificate and the symmetries it refers to. Raises RuntimeError when it would be\n"
            "too long or was stopped. `progress(nodes, seconds, walked)` may raise to end the work.")
        .def("turn_to", &turn_to, "position"_a,
             "Turn to another position of the game and keep the table; False when a new solver is needed.")
        .def(
            "ask_only",
            [](SharedSolver& solver, int attacker) {
                const InUse::Lock lock(solver.in_use, "solver");
                solver.ask_only(side_from(attacker));
            },
            "attacker"_a, "Solve only whether this side can force a win; the certificate has one claim.")
        .def(
            "stop", [](SharedSolver& solver) { solver.stop(); },
            "End the current run, or the next one, from any thread.")
        .def("save", &save_table, "write"_a,
             "Save the table by calls of `write(bytes)`; what it raises ends the save. May be called from `progress`.")
        .def("load", &load_table, "read"_a,
             "Load a table by calls of `read(size)`, which returns at most `size` bytes, none at the end.");
}

}  // namespace noughts::python
