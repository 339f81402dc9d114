#include "solve/exhaustive/exhaustive_method.hpp"

#include "solve/exhaustive/exhaustive_certificate.hpp"

namespace noughts {

ExhaustiveMethod::ExhaustiveMethod(const Position& position, const Symmetry& symmetry, std::size_t megabytes,
                                   int threads)
    : position_(position),
      symmetry_(symmetry),
      solver_(position.shared_game(), megabytes << 20, symmetry.elements(), threads) {
    solver_.start_from(position);
}

void ExhaustiveMethod::start_from(const Position& position) {
    position_ = position;
    solver_.start_from(position);
}

void ExhaustiveMethod::solve(SolveTask& task) {
    const int alpha = task.attacker == task.mover ? 0 : -1;
    const int beta = task.attacker == opponent(task.mover) ? 0 : 1;
    const ExhaustiveResult found = solver_.solve(position_, alpha, beta, task.limit);
    task.result.lower = found.bounds.lower;
    task.result.upper = found.bounds.upper;
    task.result.move = found.move;
}

void ExhaustiveMethod::report(SolveProgress& progress, std::uint64_t nodes) const {
    progress.share = solver_.estimate_progress(nodes, progress.nodes - nodes);
    progress.table = solver_.table_use();
    progress.path = solver_.path();
}

Certificate ExhaustiveMethod::prove(const Claims& claims, CertificateTask& task) {
    CanonicalPosition canonical(position_, symmetry_);
    return task.run(ExhaustiveCertificate(solver_, canonical, task.limit, MOST_CERTIFICATE_NODES), claims);
}

}  // namespace noughts
