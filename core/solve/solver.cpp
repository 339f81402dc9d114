#include "solve/solver.hpp"

#include <algorithm>

#include "solve/exhaustive_certificate.hpp"
#include "solve/proof_number_certificate.hpp"

namespace noughts {
namespace {

constexpr std::uint64_t FIRST_SHARE = 10'000;                // nodes for a question before the other one
constexpr std::uint64_t MOST_CERTIFICATE_NODES = 2'000'000;  // from an exhaustive search: longer ones are useless

}  // namespace

Solver::ByProofNumbers::ByProofNumbers(const Position& position, const Symmetry& symmetry, std::size_t megabytes,
                                       ProofTechniques techniques)
    : table(SymmetricKey(position, symmetry).key_words(), megabytes), search(position, symmetry, table, techniques) {}

// Gravity, misère and blocks leave none of the arguments that proof-number search needs, but few moves to choose from.
Solver::Solver(const Position& position, const Symmetry& symmetry, std::size_t megabytes, int threads,
               ProofTechniques techniques)
    : position_(position), symmetry_(symmetry) {
    if (position.game().is_static()) {
        by_proof_numbers_ = std::make_unique<ByProofNumbers>(position, symmetry, megabytes, techniques);
        return;
    }
    exhaustive_ =
        std::make_unique<ExhaustiveSolver>(position.shared_game(), megabytes << 20, symmetry.elements(), threads);
    exhaustive_->start_from(position);
}

SolveResult Solver::solve(const Limits& limits, const Progress& progress, const Interrupt& interrupt) {
    if (result_.is_solved() && result_.move_is_proven) return result_;
    if (position_.is_over()) {
        result_.lower = result_.upper = value_when_over(position_);
        return result_;
    }
    const auto report = [&](const WorkLimit& limit) { return progress(progress_of(limit)); };
    WorkLimit limit(limits, interrupt, progress ? report : WorkLimit::Report{}, &stop_);
    if (exhaustive_)
        solve_exhaustively(limit);
    else
        solve_by_proof_numbers(limit);
    if (limit.is_spent()) stop_.store(false, std::memory_order_relaxed);
    result_.nodes += limit.nodes();
    result_.seconds += limit.seconds();
    result_.move_is_proven = result_.lower == -1 ? result_.upper == -1 : result_.move != NO_CELL;
    if (result_.lower == -1 || result_.move == NO_CELL) result_.move = resisting_move(position_);
    return result_;
}

SolveProgress Solver::progress_of(const WorkLimit& limit) const {
    SolveProgress progress{result_.nodes + limit.nodes(), limit.seconds(), position_.turn(), {0, 0}, 0, {}};
    if (exhaustive_) return progress;
    const ProofNumberSearch& search = by_proof_numbers_->search;
    progress.attacker = search.attacker();
    progress.numbers = search.root_numbers();
    progress.hashfull = by_proof_numbers_->table.hashfull();
    progress.line = search.line();
    return progress;
}

bool Solver::turn_to(const Position& position) {
    if (!exhaustive_) return false;
    position_ = position;
    result_ = {};
    exhaustive_->start_from(position_);
    return true;
}

void Solver::solve_exhaustively(WorkLimit& limit) {
    const ExhaustiveResult found = exhaustive_->solve(position_, -1, 1, limit);
    result_.lower = found.bounds.lower;
    result_.upper = found.bounds.upper;
    result_.move = found.move;
}

// --- by proof numbers ---------------------------------------------------------------------------------------------

// Strategy stealing: if the second player could win, the first would make any move, then play as the second, and the
// extra mark would never hurt. Only from the empty board.
bool Solver::second_player_cannot_win() const {
    return position_.game().marks_never_hurt() && position_.now().free == position_.game().cells();
}

// A draw needs both halves, that neither side can force a win. So both questions get shares of the work in turn, larger
// and larger, until one answer settles the other.
void Solver::solve_by_proof_numbers(WorkLimit& limit) {
    const Side mover = position_.turn();
    auto& can_win = by_proof_numbers_->can_win;
    const bool stolen = second_player_cannot_win();
    if (stolen) can_win[opponent(mover)] = Answer::NO;
    conclude();
    for (std::uint64_t share = FIRST_SHARE; !result_.is_solved() && !limit.is_spent(); share *= 2)
        for (Side side : {mover, opponent(mover)}) {
            if (can_win[side] != Answer::UNKNOWN || limit.is_spent() || result_.is_solved()) continue;
            ask(side, stolen ? WorkLimit::UNLIMITED : share, limit);
            conclude();
        }
    if (!result_.move_is_proven) result_.move = find_move(limit);
}

void Solver::ask(Side attacker, std::uint64_t share, WorkLimit& limit) {
    limit.set_share(share);
    const ProofNumbers numbers = by_proof_numbers_->search.search(attacker, limit);
    limit.set_share(WorkLimit::UNLIMITED);
    if (numbers.is_solved()) by_proof_numbers_->can_win[attacker] = numbers.is_proved() ? Answer::YES : Answer::NO;
}

void Solver::conclude() {
    const Side mover = position_.turn();
    const auto& can_win = by_proof_numbers_->can_win;
    if (can_win[mover] == Answer::YES) result_.lower = 1;
    if (can_win[mover] == Answer::NO) result_.upper = std::min(result_.upper, 0);
    if (can_win[opponent(mover)] == Answer::YES) result_.upper = -1;
    if (can_win[opponent(mover)] == Answer::NO) result_.lower = std::max(result_.lower, 0);
}

// Strategy stealing shows that there is a move, not which: that needs a search like any other question.
int Solver::find_move(WorkLimit& limit) {
    if (result_.lower == -1) return NO_CELL;
    if (const int cell = winning_move(position_); cell != NO_CELL) return cell;
    ProofNumberSearch& search = by_proof_numbers_->search;
    search.set_attacker(result_.lower == 1 ? position_.turn() : opponent(position_.turn()));
    if (!search.settle(limit).is_solved()) return NO_CELL;
    return search.decisive_move(limit);
}

// --- certificates and snapshots -----------------------------------------------------------------------------------

Certificate Solver::certificate(const Interrupt& interrupt) {
    WorkLimit limit({}, interrupt, {}, &stop_);
    try {
        if (exhaustive_) {
            KeyedPosition keyed(position_, symmetry_);
            ExhaustiveCertificate writer(*exhaustive_, keyed, limit, MOST_CERTIFICATE_NODES);
            write_claims(writer);
            return writer.certificate();
        }
        ProofNumberCertificate writer(by_proof_numbers_->search, limit);
        write_claims(writer);
        return writer.certificate();
    } catch (const Interrupted&) {
        if (stop_.exchange(false)) throw CertificateError("no certificate: stopped");
        throw;
    }
}

void Solver::write_claims(CertificateWriter& writer) const {
    const Side mover = position_.turn();
    if (result_.lower != 0) return writer.claim(result_.lower == 1 ? mover : opponent(mover), 1);
    for (Side prover : BOTH_SIDES)
        if (prover == mover && second_player_cannot_win())
            writer.claim_stolen_draw();
        else
            writer.claim(prover, 0);
}

void Solver::save(SnapshotWriter& out) const {
    if (exhaustive_)
        exhaustive_->save(out);
    else
        by_proof_numbers_->table.save(out, position_.game().fingerprint());
}

void Solver::load(SnapshotReader& in) {
    if (exhaustive_)
        exhaustive_->load(in);
    else
        by_proof_numbers_->table.load(in, position_.game().fingerprint(), position_.game().cells());
}

}  // namespace noughts
