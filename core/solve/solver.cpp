#include "solve/solver.hpp"

#include <algorithm>
#include <stdexcept>

#include "solve/exhaustive/exhaustive_method.hpp"
#include "solve/narrow_win/narrow_win_method.hpp"
#include "solve/proof_number/proof_number_method.hpp"
#include "solve/static_draw/draw_arguments.hpp"
#include "support/process.hpp"

namespace noughts {
namespace {

constexpr std::size_t NARROW_WIN_MEMORY = 4;  // a quarter of the memory is for the search for narrow wins

// The methods for a game, in the order in which they are tried.
std::vector<std::unique_ptr<Method>> make_methods(const Position& position, const Symmetry& symmetry,
                                                  std::size_t megabytes, int threads, ProofTechniques techniques) {
    std::vector<std::unique_ptr<Method>> methods;
    if (position.game().is_static()) {
        methods.push_back(std::make_unique<ProofNumberMethod>(position, symmetry, megabytes, threads, techniques));
        return methods;
    }
    if (position.game().keeps_won_blocks_open()) {
        const std::size_t part = std::max<std::size_t>(1, megabytes / NARROW_WIN_MEMORY);
        methods.push_back(std::make_unique<NarrowWinMethod>(position, symmetry, part));
        megabytes = std::max<std::size_t>(1, megabytes - part);
    }
    methods.push_back(std::make_unique<ExhaustiveMethod>(position, symmetry, megabytes, threads));
    return methods;
}

}  // namespace

Solver::Solver(const Position& position, const Symmetry& symmetry, std::size_t megabytes, int threads,
               ProofTechniques techniques)
    : position_(position),
      methods_(make_methods(position, symmetry, megabytes, threads, techniques)),
      method_(methods_.front().get()) {}

SolveResult Solver::solve(const Limits& limits, const Progress& progress, const Interrupt& interrupt) {
    if (is_solved() && (question_ != NO_SIDE || result_.move_is_proven)) return result_;
    if (position_.is_over()) {
        result_.lower = result_.upper = value_when_over(position_);
        return result_;
    }
    const int forks_before = forks();
    const auto report = [&](const WorkLimit& limit) {
        const bool is_wanted = progress(progress_of(limit));
        if (forks() != forks_before && !method_->survives_fork())
            throw std::runtime_error("the process was forked during this solve; make a new solver in the child");
        return is_wanted;
    };
    WorkLimit limit(limits, interrupt, progress ? report : WorkLimit::Report{}, &stop_);
    run_methods(limit);
    if (limit.is_spent()) stop_.store(false, std::memory_order_relaxed);
    result_.nodes += limit.nodes();
    result_.seconds += limit.seconds();
    result_.move_is_proven = result_.lower == -1 ? result_.upper == -1 : result_.move != NO_CELL;
    if (result_.lower == -1 || result_.move == NO_CELL) result_.move = resisting_move(position_);
    return result_;
}

void Solver::run_methods(WorkLimit& limit) {
    SolveTask task{question_, position_.turn(), result_, limit};
    for (const auto& method : methods_) {
        method_ = method.get();
        method->solve(task);
        if (result_.is_solved() || limit.is_spent()) return;
    }
}

SolveProgress Solver::progress_of(const WorkLimit& limit) {
    SolveProgress progress;
    progress.nodes = result_.nodes + limit.nodes();
    progress.seconds = limit.seconds();
    progress.attacker = position_.turn();
    method_->report(progress, limit.nodes());
    progress.share = share_.update(progress.share, progress.nodes);
    return progress;
}

bool Solver::turn_to(const Position& position) {
    position_ = position;
    result_ = {};
    share_ = {};
    for (const auto& method : methods_) method->start_from(position);
    return true;
}

Claims Solver::claims() const {
    const Side mover = position_.turn();
    if (question_ != NO_SIDE) {
        const Side rival = opponent(question_);
        if (result_.can_win(question_, mover)) return {{question_, 1}};
        return {{rival, result_.can_win(rival, mover) ? 1 : 0}};
    }
    if (result_.lower != 0) return {{result_.lower == 1 ? mover : opponent(mover), 1}};
    Claims claims;
    for (const Side prover : BOTH_SIDES)
        claims.push_back({prover, 0, prover == mover && second_player_cannot_win(position_)});
    return claims;
}

Certificate Solver::certificate(const Interrupt& interrupt, const CertificateReport& report) {
    const CertificateWriter* const* writer = nullptr;
    const auto report_writer = [&](const WorkLimit&) { return !*writer || report((*writer)->progress()); };
    WorkLimit limit({}, interrupt, report ? report_writer : WorkLimit::Report{}, &stop_);
    CertificateTask task{limit};
    writer = &task.writer;
    try {
        return method_->prove(claims(), task);
    } catch (const Interrupted&) {
        if (stop_.exchange(false)) throw CertificateError("no certificate: stopped");
        throw;
    }
}

void Solver::save(SnapshotWriter& out) const {
    for (const auto& method : methods_) method->save(out);
}

// A snapshot is loaded as a whole: if one part is invalid, the tables loaded before it are cleared.
void Solver::load(SnapshotReader& in) {
    auto method = methods_.begin();
    try {
        for (; method != methods_.end(); ++method) (*method)->load(in);
    } catch (...) {
        std::for_each(methods_.begin(), method, [](const auto& loaded) { loaded->clear(); });
        throw;
    }
}

}  // namespace noughts
