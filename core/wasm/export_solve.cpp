// The solver.
#include "support/snapshot.hpp"
#include "wasm/boundary.hpp"

NOUGHTS_IMPORT(write) void noughts_write(const char* bytes, std::size_t size);
NOUGHTS_IMPORT(read) std::size_t noughts_read(char* room, std::size_t size);

using namespace noughts;
using namespace noughts::wasm;

namespace {

// A solver together with the symmetries that it needs.
struct OwningSolver {
    SharedSymmetry symmetry;
    Solver solver;

    OwningSolver(const Position& position, SharedSymmetry shared, std::size_t megabytes)
        : symmetry(std::move(shared)), solver(position, *symmetry, megabytes) {}
};

bool report_progress(const SolveProgress& progress) {
    Output output;
    output.real(static_cast<double>(progress.nodes));
    output.real(progress.seconds);
    output.number(index(progress.attacker));
    output.real(progress.numbers.proof);
    output.real(progress.numbers.disproof);
    output.number(progress.table.hashfull);
    output.real(static_cast<double>(progress.table.bytes));
    output.real(progress.share.estimate);
    output.real(progress.share.low);
    output.real(progress.share.high);
    output.list(progress.path);
    return report_output();
}

void output_result(const SolveResult& result) {
    Output output;
    output.number(result.lower);
    output.number(result.upper);
    output.number(result.move);
    output.number(result.move_is_proven);
    output.real(static_cast<double>(result.nodes));
    output.real(result.seconds);
}

}  // namespace

NOUGHTS_EXPORT(solver_new)
OwningSolver* solver_new(const Position* position, const SharedSymmetry* symmetry, int megabytes) {
    return call([=] {
        require_range<int>("megabytes", megabytes, 1, MAX_MEGABYTES);
        require_solvable(*position, **symmetry);
        return new OwningSolver(*position, *symmetry, static_cast<std::size_t>(megabytes));
    });
}

NOUGHTS_EXPORT(solver_free) void solver_free(OwningSolver* solver) { delete solver; }
NOUGHTS_EXPORT(solver_stop) void solver_stop(OwningSolver* solver) { solver->solver.stop(); }

NOUGHTS_EXPORT(solver_solve)
void solver_solve(OwningSolver* solver, double seconds, double nodes, bool has_progress) {
    call([=] {
        require_seconds(seconds);
        const auto progress = has_progress ? Solver::Progress(report_progress) : Solver::Progress();
        output_result(solver->solver.solve({seconds, checked_nodes(nodes)}, progress, interrupt()));
    });
}

NOUGHTS_EXPORT(solver_turn_to) bool solver_turn_to(OwningSolver* solver, const Position* position) {
    return call([=] {
        require_same_game(solver->solver, *position);
        return solver->solver.turn_to(*position);
    });
}

NOUGHTS_EXPORT(solver_certificate) void solver_certificate(OwningSolver* solver) {
    call([=] {
        require_solved(solver->solver);
        const Certificate written = solver->solver.certificate(interrupt());
        Output output;
        output.bytes(written.text);
        output.lists(written.symmetries);
    });
}

NOUGHTS_EXPORT(solver_save) void solver_save(const OwningSolver* solver) {
    call([=] {
        SnapshotWriter out([](std::span<const char> bytes) { noughts_write(bytes.data(), bytes.size()); });
        solver->solver.save(out);
    });
}

NOUGHTS_EXPORT(solver_load) void solver_load(OwningSolver* solver) {
    call([=] {
        SnapshotReader in([](std::span<char> room) { return noughts_read(room.data(), room.size()); });
        solver->solver.load(in);
    });
}
