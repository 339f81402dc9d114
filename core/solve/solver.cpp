#include "solve/solver.hpp"

#include <algorithm>
#include <stdexcept>

#include "solve/breaker/blocking_certificate.hpp"
#include "solve/exhaustive/exhaustive_certificate.hpp"
#include "solve/narrow_win/narrow_win_certificate.hpp"
#include "solve/proof_number/proof_number_certificate.hpp"
#include "support/process.hpp"

namespace noughts {
namespace {

constexpr std::uint64_t FIRST_SHARE = 10'000;       // nodes for a question before the other one
constexpr std::uint64_t FIRST_SMALL_SHARE = 1'000;  // the same where there are further searches to try
// Searches for blocks gain where lines are long; with lines of four, the maker mostly wins that game, or proof-number
// search is faster.
constexpr int LEAST_BLOCKED_LINE = 5;                        // cells
constexpr std::uint64_t BLOCKING_PART = 16;                  // of a share: its nodes take longer
constexpr double MOST_BLOCKING_NODES = 1e7;                  // if more are expected, it is hopeless
constexpr std::uint64_t NARROW_WIN_NODES = 1'000'000;        // for each side
constexpr std::size_t NARROW_WIN_MEMORY = 4;                 // the table gets one part in four of the memory
constexpr std::uint64_t MOST_CERTIFICATE_NODES = 2'000'000;  // from an exhaustive search: longer ones are useless

bool has_long_lines(const Game& game) {
    for (int line = 0; line < game.lines(); ++line)
        if (std::ssize(game.line_cells(line)) < LEAST_BLOCKED_LINE) return false;
    return true;
}

}  // namespace

Solver::ByProofNumbers::ByProofNumbers(const Position& position, const Symmetry& symmetry, std::size_t megabytes,
                                       int threads, ProofTechniques techniques)
    : table(SymmetricKey(position, symmetry).key_words(), megabytes, threads) {
    start_from(position, symmetry, threads, techniques);
}

void Solver::ByProofNumbers::start_from(const Position& position, const Symmetry& symmetry, int threads,
                                        ProofTechniques techniques) {
    team.form(threads, [&](PositionsInProgress* in_progress) {
        return std::make_unique<ProofNumberSearch>(position, symmetry, table, techniques, in_progress);
    });
    can_win = can_block = {{Answer::UNKNOWN, Answer::UNKNOWN}};
    blocking.dissolve();
}

WorkShare Solver::ByProofNumbers::share(std::uint64_t nodes) const {
    if (is_blocking) return blocking.leader().share(blocking.threads());
    const ProofNumberSearch& search = team.leader();
    const bool is_other_open = can_win[opponent(search.attacker())] == Answer::UNKNOWN;
    return estimate_share(
        {search.first_numbers(), search.root_numbers(), search.searched_moves(), is_other_open, nodes});
}

// Gravity, misère and blocks leave none of the arguments that proof-number search needs, but few moves to choose from.
Solver::Solver(const Position& position, const Symmetry& symmetry, std::size_t megabytes, int threads,
               ProofTechniques techniques)
    : position_(position), symmetry_(symmetry) {
    if (position.game().is_static()) {
        by_proof_numbers_ = std::make_unique<ByProofNumbers>(position, symmetry, megabytes, threads, techniques);
        return;
    }
    if (position.game().keeps_won_blocks_open()) {
        const std::size_t part = std::max<std::size_t>(1, megabytes / NARROW_WIN_MEMORY);
        by_narrow_wins_.reset(new ByNarrowWins{NarrowWinSearch(position, symmetry, part)});
        megabytes = std::max<std::size_t>(1, megabytes - part);
    }
    exhaustive_ =
        std::make_unique<ExhaustiveSolver>(position.shared_game(), megabytes << 20, symmetry.elements(), threads);
    exhaustive_->start_from(position);
}

SolveResult Solver::solve(const Limits& limits, const Progress& progress, const Interrupt& interrupt) {
    if (is_solved() && (question_ != NO_SIDE || result_.move_is_proven)) return result_;
    if (position_.is_over()) {
        result_.lower = result_.upper = value_when_over(position_);
        return result_;
    }
    const int forks_before = forks();
    const auto report = [&](const WorkLimit& limit) {
        const bool goes_on = progress(progress_of(limit));
        if (forks() != forks_before && by_proof_numbers_ && by_proof_numbers_->team.threads() > 1)
            throw std::runtime_error("the process was forked during this solve; make a new solver in the child");
        return goes_on;
    };
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

SolveProgress Solver::progress_of(const WorkLimit& limit) {
    SolveProgress progress{result_.nodes + limit.nodes(), limit.seconds(), position_.turn(), {0, 0}, {}, {}, {}};
    if (by_narrow_wins_ && by_narrow_wins_->is_running) {
        const NarrowWinSearch& search = by_narrow_wins_->search;
        progress.attacker = search.attacker();
        progress.numbers = search.root_numbers();
        progress.table = search.table().use();
        progress.line = search.line();
        return progress;
    }
    if (exhaustive_) {
        progress.share = share_.update(exhaustive_->share(limit.nodes(), result_.nodes), progress.nodes);
        progress.table = exhaustive_->table_use();
        progress.line = exhaustive_->line();
        return progress;
    }
    progress.table = by_proof_numbers_->table.use();
    progress.share = share_.update(by_proof_numbers_->share(progress.nodes), progress.nodes);
    if (by_proof_numbers_->is_blocking) {
        const BlockingSearch& search = by_proof_numbers_->blocking.leader();
        progress.attacker = search.maker();
        progress.numbers = search.root_numbers();
        progress.line = search.line();
        return progress;
    }
    const ProofNumberSearch& search = by_proof_numbers_->team.leader();
    progress.attacker = search.attacker();
    progress.numbers = search.root_numbers();
    progress.line = search.line();
    return progress;
}

bool Solver::is_solved() const {
    if (question_ == NO_SIDE) return result_.is_solved();
    return result_.can_win(question_, position_.turn()) || result_.cannot_win(question_, position_.turn());
}

bool Solver::turn_to(const Position& position) {
    position_ = position;
    result_ = {};
    share_ = {};
    if (exhaustive_)
        exhaustive_->start_from(position_);
    else
        by_proof_numbers_->start_from(position_, symmetry_, by_proof_numbers_->team.threads(),
                                      by_proof_numbers_->team.leader().techniques());
    if (by_narrow_wins_) {
        by_narrow_wins_->search.start_from(position_);
        by_narrow_wins_->nodes = {{0, 0}};
        by_narrow_wins_->winner = NO_SIDE;
    }
    return true;
}

void Solver::solve_exhaustively(WorkLimit& limit) {
    if (by_narrow_wins_) look_for_narrow_wins(limit);
    if (result_.is_solved() || limit.is_spent()) return;
    const int alpha = question_ == position_.turn() ? 0 : -1, beta = question_ == opponent(position_.turn()) ? 0 : 1;
    const ExhaustiveResult found = exhaustive_->solve(position_, alpha, beta, limit);
    result_.lower = found.bounds.lower;
    result_.upper = found.bounds.upper;
    result_.move = found.move;
}

// Where won blocks stay open, a side can be sent to the same block until that is full, so narrow attacks often win.
void Solver::look_for_narrow_wins(WorkLimit& limit) {
    ByNarrowWins& narrow = *by_narrow_wins_;
    for (std::uint64_t share = FIRST_SHARE; share <= NARROW_WIN_NODES; share *= 2)
        for (Side side : {position_.turn(), opponent(position_.turn())}) {
            if (narrow.winner != NO_SIDE || narrow.nodes[side] >= share || limit.is_spent()) continue;
            look_for_narrow_win(side, share - narrow.nodes[side], limit);
        }
    if (narrow.winner == NO_SIDE) return;
    result_.lower = result_.upper = narrow.winner == position_.turn() ? 1 : -1;
    if (result_.lower == 1) result_.move = narrow.search.winning_attack(limit);
}

void Solver::look_for_narrow_win(Side attacker, std::uint64_t share, WorkLimit& limit) {
    ByNarrowWins& narrow = *by_narrow_wins_;
    const std::uint64_t before = limit.nodes();
    limit.set_share(share);
    narrow.is_running = true;
    const ProofNumbers numbers = narrow.search.search(attacker, limit);
    narrow.is_running = false;
    limit.set_share(WorkLimit::UNLIMITED);
    narrow.nodes[attacker] += limit.nodes() - before;
    if (numbers.is_proved()) narrow.winner = attacker;
    if (numbers.is_solved()) narrow.nodes[attacker] = NARROW_WIN_NODES;
}

// --- by proof numbers ---------------------------------------------------------------------------------------------

// Strategy stealing: if the second player could win, the first would make any move, then play as the second, and the
// extra mark would never hurt. Only from the empty board.
bool Solver::second_player_cannot_win() const {
    return position_.game().marks_never_hurt() && position_.now().free == position_.game().cells();
}

// A draw needs both halves, that neither side can force a win. So both questions get shares of the work in turn, larger
// and larger, until one answer settles the other. Where a side's lines may all be stopped, that is tried in turn as
// well.
void Solver::solve_by_proof_numbers(WorkLimit& limit) {
    const Side mover = position_.turn();
    auto& can_win = by_proof_numbers_->can_win;
    const bool stolen = second_player_cannot_win();
    if (stolen) can_win[opponent(mover)] = Answer::NO;
    by_proof_numbers_->is_blocking = false;  // an exception may have left it
    conclude();
    const bool is_alone = stolen || question_ != NO_SIDE;
    const auto is_open = [&](Side side) {
        return can_win[side] == Answer::UNKNOWN && question_ != opponent(side) && !limit.is_spent() && !is_solved();
    };
    // The state of an earlier solve may have the answer.
    if (by_proof_numbers_->table.entries() > 0 && !by_proof_numbers_->blocking.is_formed())
        for (Side side : {mover, opponent(mover)})
            if (is_open(side) && may_block(opponent(side))) ask_blocking(side, 1, limit);
    const bool has_further_searches =
        by_proof_numbers_->team.leader().finds_fork_wins() || may_block(X) || may_block(O);
    for (std::uint64_t share = has_further_searches ? FIRST_SMALL_SHARE : FIRST_SHARE;
         !is_solved() && !limit.is_spent(); share *= 2)
        for (Side side : {mover, opponent(mover)}) {
            const bool is_only_search = is_alone && !may_block(opponent(side));
            if (is_open(side)) ask(side, is_only_search ? WorkLimit::UNLIMITED : share, limit);
            if (is_open(side) && may_block(opponent(side))) ask_blocking(side, share / BLOCKING_PART, limit);
        }
    if (!result_.move_is_proven && question_ == NO_SIDE) result_.move = find_move(limit);
}

void Solver::ask(Side attacker, std::uint64_t share, WorkLimit& limit) {
    limit.set_share(share);
    const ProofNumbers numbers = by_proof_numbers_->team.search(attacker, limit);
    limit.set_share(WorkLimit::UNLIMITED);
    result_.numbers = numbers;
    if (numbers.is_solved()) by_proof_numbers_->can_win[attacker] = numbers.is_proved() ? Answer::YES : Answer::NO;
    conclude();
}

// Whether it is unknown, and makes sense to try, if the side can stop all lines of the other one. The claims of single
// questions are joined to larger ones, in which there are no claims about blocks.
bool Solver::may_block(Side side) const {
    const Game& game = position_.game();
    if (question_ != NO_SIDE || !BlockingState::can_represent(game) || !has_long_lines(game) ||
        by_proof_numbers_->can_block[side] != Answer::UNKNOWN)
        return false;
    return BlockingSearch::expected_nodes(BlockingState(position_, opponent(side))) < MOST_BLOCKING_NODES;
}

// If the attacker's lines can all be stopped, it cannot win. If not, nothing follows.
void Solver::ask_blocking(Side attacker, std::uint64_t share, WorkLimit& limit) {
    ByProofNumbers& solver = *by_proof_numbers_;
    if (!solver.blocking.is_formed())
        solver.blocking.form(solver.team.threads(), [&](PositionsInProgress* in_progress) {
            return std::make_unique<BlockingSearch>(position_, symmetry_, solver.table, in_progress);
        });
    limit.set_share(share);
    solver.is_blocking = true;
    const ProofNumbers numbers = solver.blocking.search(attacker, limit);
    solver.is_blocking = false;
    limit.set_share(WorkLimit::UNLIMITED);
    if (!numbers.is_solved()) return;
    solver.can_block[opponent(attacker)] = numbers.is_proved() ? Answer::NO : Answer::YES;
    if (!numbers.is_proved()) solver.can_win[attacker] = Answer::NO;
    conclude();
}

void Solver::conclude() {
    const Side mover = position_.turn();
    const auto& can_win = by_proof_numbers_->can_win;
    if (can_win[mover] == Answer::YES) result_.lower = 1;
    if (can_win[mover] == Answer::NO) result_.upper = std::min(result_.upper, 0);
    if (can_win[opponent(mover)] == Answer::YES) result_.upper = -1;
    if (can_win[opponent(mover)] == Answer::NO) result_.lower = std::max(result_.lower, 0);
}

// Strategy stealing shows that there is a move, not which: that needs searches like any other question.
int Solver::find_move(WorkLimit& limit) {
    const Side mover = position_.turn();
    if (result_.lower == -1) return NO_CELL;
    if (const int cell = winning_move(position_); cell != NO_CELL) return cell;
    ByProofNumbers& solver = *by_proof_numbers_;
    const Side attacker = result_.lower == 1 ? mover : opponent(mover);
    for (std::uint64_t share = FIRST_SMALL_SHARE; !limit.is_spent(); share *= 2) {
        if (attacker != mover && solver.can_block[mover] == Answer::YES)
            if (const int cell = find_blocking_move(limit); cell != NO_CELL) return cell;
        const bool tries_blocking = attacker != mover && may_block(mover);
        limit.set_share(tries_blocking ? share : WorkLimit::UNLIMITED);
        const bool is_settled = solver.team.search(attacker, limit).is_solved();
        limit.set_share(WorkLimit::UNLIMITED);
        if (is_settled) return solver.team.leader().decisive_move(limit);
        if (tries_blocking) ask_blocking(attacker, share / BLOCKING_PART, limit);
    }
    return NO_CELL;
}

// NO_CELL if the position is decided without a search: then proof-number search finds a move at once.
int Solver::find_blocking_move(WorkLimit& limit) {
    BlockingSearch& search = by_proof_numbers_->blocking.leader();
    search.set_maker(opponent(position_.turn()));
    BlockingState state = search.first_state();
    for (const OpenLine& line : state.lines())
        if (!has_several(line.cells)) return lowest(line.cells);
    if (state.outcome() != BlockingState::Outcome::OPEN || BlockingSearch::sum_is_low(state)) return NO_CELL;
    return search.decisive_move(state, limit);
}

// --- certificates and snapshots -----------------------------------------------------------------------------------

Certificate Solver::certificate(const Interrupt& interrupt, const CertificateReport& report) {
    const CertificateWriter* writing = nullptr;
    const auto report_writer = [&](const WorkLimit&) { return !writing || report(writing->progress()); };
    WorkLimit limit({}, interrupt, report ? report_writer : WorkLimit::Report{}, &stop_);
    const auto write = [&](CertificateWriter&& writer) {
        writing = &writer;
        write_claims(writer);
        return writer.certificate();
    };
    try {
        if (by_narrow_wins_ && by_narrow_wins_->winner != NO_SIDE)
            return write(NarrowWinCertificate(by_narrow_wins_->search, limit, MOST_CERTIFICATE_NODES));
        if (!exhaustive_) return write_by_proof_numbers(limit, writing);
        KeyedPosition keyed(position_, symmetry_);
        return write(ExhaustiveCertificate(*exhaustive_, keyed, limit, MOST_CERTIFICATE_NODES));
    } catch (const Interrupted&) {
        if (stop_.exchange(false)) throw CertificateError("no certificate: stopped");
        throw;
    }
}

// The claims of sides that can block come last.
Certificate Solver::write_by_proof_numbers(WorkLimit& limit, const CertificateWriter*& writing) {
    ProofNumberCertificate writer(by_proof_numbers_->team.leader(), limit);
    writing = &writer;
    write_claims(writer);
    if (result_.lower == 1 || result_.upper == -1 || !by_proof_numbers_->blocking.is_formed())
        return writer.certificate();
    BlockingCertificate blocking(by_proof_numbers_->blocking.leader(), writer);
    writing = &blocking;
    for (Side prover : BOTH_SIDES)
        if (is_claimed_by_block(prover)) blocking.claim_block(prover);
    return blocking.certificate();
}

// Whether the claim that the side does not lose is that it blocks the lines of the other one.
bool Solver::is_claimed_by_block(Side prover) const {
    if (!by_proof_numbers_ || by_proof_numbers_->can_block[prover] != Answer::YES) return false;
    return question_ == NO_SIDE && result_.lower == 0 && !(prover == position_.turn() && second_player_cannot_win());
}

void Solver::write_claims(CertificateWriter& writer) const {
    const Side mover = position_.turn();
    if (question_ != NO_SIDE) {
        const Side rival = opponent(question_);
        if (result_.can_win(question_, mover)) return writer.claim(question_, 1);
        return writer.claim(rival, result_.can_win(rival, mover) ? 1 : 0);
    }
    if (result_.lower != 0) return writer.claim(result_.lower == 1 ? mover : opponent(mover), 1);
    writer.expect_claims(second_player_cannot_win() ? 1 : 2);
    for (Side prover : BOTH_SIDES)
        if (prover == mover && second_player_cannot_win())
            writer.claim_stolen_draw();
        else if (!is_claimed_by_block(prover))
            writer.claim(prover, 0);
}

void Solver::save(SnapshotWriter& out) const {
    if (by_narrow_wins_) {
        out.write_header(SnapshotKind::NARROW_WINS, position_.game().fingerprint());
        out.write(position_.hash());
        for (const std::uint64_t nodes : by_narrow_wins_->nodes) out.write(nodes);
        by_narrow_wins_->search.table().save_entries(out);
    }
    if (exhaustive_)
        exhaustive_->save(out);
    else
        by_proof_numbers_->table.save(out, position_.game().fingerprint());
}

void Solver::load(SnapshotReader& in) {
    if (by_narrow_wins_)
        load_narrow_wins(in);
    else if (exhaustive_)
        exhaustive_->load(in);
    else
        by_proof_numbers_->table.load(in, position_.game().fingerprint(), position_.game().cells());
}

void Solver::load_narrow_wins(SnapshotReader& in) {
    ProofTable& table = by_narrow_wins_->search.table();
    in.expect_header(SnapshotKind::NARROW_WINS, position_.game().fingerprint());
    const bool is_same_position = in.read<std::uint64_t>() == position_.hash();
    PerSide<std::uint64_t> nodes;
    for (std::uint64_t& count : nodes) count = in.read<std::uint64_t>();
    try {
        table.load_entries(in, position_.game().cells());
        exhaustive_->load(in);
        if (is_same_position) by_narrow_wins_->nodes = nodes;
    } catch (...) {
        table.clear();
        throw;
    }
}

}  // namespace noughts
