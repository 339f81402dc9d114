#include "solve/solver.hpp"

#include <stdexcept>

#include "solve/certificate.hpp"
#include "solve/exhaustive_certificate.hpp"

namespace noughts {
namespace {

constexpr std::uint64_t FIRST_SLICE = 10'000;
constexpr std::uint64_t MOST_NODES =
    2'000'000;  // of a certificate read off a search to the end: more would be of use to nobody

int key_words(const Position& position, const Symmetry& symmetry) {
    return SymmetricKey(position, symmetry).key_words();
}

// Gravity, misère and blocks leave none of the arguments that make flat games small, but few moves to choose from.
bool is_searched_to_the_end(const Game& game) { return !game.is_static(); }

std::size_t table_megabytes(const Game& game, std::size_t megabytes) {
    return is_searched_to_the_end(game) ? 1 : megabytes;
}

}  // namespace

Solver::Solver(const Position& position, const Symmetry& symmetry, std::size_t megabytes, ProofTechniques techniques)
    : position_(position),
      table_(key_words(position, symmetry), table_megabytes(position.game(), megabytes)),
      search_(position, symmetry, table_, techniques) {
    if (!is_searched_to_the_end(position.game())) return;
    exhaustive_ = std::make_unique<ExhaustiveSolver>(position.shared_game(), megabytes << 20, symmetry.elements());
    exhaustive_->start_from(position);
}

// Strategy stealing: if the second player could win, the first would make any move, then play as the second, and the
// extra mark would never hurt. Only from the empty board, and only where a mark cannot hurt: not with guards, gravity
// (a mark makes another cell playable), misère or several blocks (a mark sends the opponent).
bool Solver::second_player_cannot_win() const {
    if (!position_.game().marks_never_hurt()) return false;
    return position_.marks(X).is_empty() && position_.marks(O).is_empty();
}

void Solver::ask(Side attacker, std::uint64_t slice, WorkLimit& limit) {
    limit.set_share(slice);
    const ProofNumbers numbers = search_.search(attacker, limit);
    limit.set_share(WorkLimit::UNLIMITED);
    if (numbers.is_solved()) can_win_[attacker] = numbers.is_proved() ? YES : NO;
}

void Solver::conclude() {
    const Side mover = position_.turn();
    if (can_win_[mover] == YES) solved_.lower = 1;
    if (can_win_[mover] == NO) solved_.upper = std::min(solved_.upper, 0);
    if (can_win_[opponent(mover)] == YES) solved_.upper = -1;
    if (can_win_[opponent(mover)] == NO) solved_.lower = std::max(solved_.lower, 0);
}

// A stop is forgotten by the work that it ends.
Interrupt Solver::or_stopped(const Interrupt& interrupt) {
    return
        [this, &interrupt] { return stop_.exchange(false, std::memory_order_relaxed) || (interrupt && interrupt()); };
}

SolveResult Solver::solve(const Limits& limits, const Progress& progress, const Interrupt& interrupt) {
    if (solved_.is_solved() && solved_.move_is_proven) return solved_;
    if (position_.is_over()) {
        solved_.lower = solved_.upper = value_when_over(position_);
        return solved_;
    }
    const auto report = [&](const WorkLimit& limit) { return progress(progress_of(limit)); };
    WorkLimit limit(limits, or_stopped(interrupt), progress ? report : WorkLimit::Report{});
    if (exhaustive_)
        solve_to_the_end(limit);
    else
        solve_by_proof(limit);
    solved_.nodes += limit.nodes();
    solved_.seconds += limit.seconds();
    solved_.move_is_proven = solved_.lower == -1 ? solved_.upper == -1 : solved_.move != NO_CELL;
    if (solved_.lower == -1 || solved_.move == NO_CELL) solved_.move = resisting_move(position_);
    return solved_;
}

SolveProgress Solver::progress_of(const WorkLimit& limit) const {
    const std::uint64_t nodes = solved_.nodes + limit.nodes();
    if (exhaustive_) return {nodes, limit.seconds(), position_.turn(), {0, 0}, 0, {}};
    return {nodes, limit.seconds(), search_.attacker(), search_.root_numbers(), table_.hashfull(), search_.line()};
}

bool Solver::turn_to(const Position& position) {
    if (!exhaustive_) return false;
    position_ = position;
    solved_ = {};
    exhaustive_->start_from(position_);
    return true;
}

void Solver::solve_to_the_end(WorkLimit& limit) {
    const ExhaustiveResult found = exhaustive_->solve(position_, -1, 1, limit);
    solved_.lower = found.bounds.lower;
    solved_.upper = found.bounds.upper;
    solved_.move = found.move;
}

// A draw needs both halves, that neither side can force a win; so both questions are asked in turns, ever longer, until
// one answer settles the other.
void Solver::solve_by_proof(WorkLimit& limit) {
    const Side mover = position_.turn();
    const bool stolen = second_player_cannot_win();
    if (stolen) can_win_[opponent(mover)] = NO;
    conclude();
    for (std::uint64_t slice = FIRST_SLICE; !solved_.is_solved() && !limit.is_spent(); slice *= 2)
        for (Side side : {mover, opponent(mover)}) {
            if (can_win_[side] != UNKNOWN || limit.is_spent() || solved_.is_solved()) continue;
            ask(side, stolen ? WorkLimit::UNLIMITED : slice, limit);
            conclude();
        }
    if (!solved_.move_is_proven) solved_.move = find_move(limit);
}

// Strategy stealing shows that there is a move, not which: that is then asked like any other question.
int Solver::find_move(WorkLimit& limit) {
    if (solved_.lower == -1) return NO_CELL;
    if (const int cell = winning_move(position_); cell != NO_CELL) return cell;
    search_.set_attacker(solved_.lower == 1 ? position_.turn() : opponent(position_.turn()));
    if (!search_.settle(limit).is_solved()) return NO_CELL;
    return search_.decisive_move(limit);
}

// What a search to the end found out, from its own table.
Solver::Claims Solver::certificate_to_the_end(WorkLimit& limit) {
    const auto& elements = search_.symmetric_key().symmetry().elements();
    ClaimWriter writer(*exhaustive_, elements, MOST_NODES, limit);
    Claims claims{{}, elements};
    const Side mover = position_.turn();
    const bool is_draw = solved_.lower == 0;
    for (Side prover : BOTH_SIDES) {
        if (!is_draw && (prover == mover) != (solved_.lower == 1)) continue;
        const Claim claim = writer.write(position_, prover, is_draw ? 0 : 1);
        if (limit.is_spent()) return {};
        if (claim.text.empty()) throw std::runtime_error(claim.why_not);
        claims.text += claim.text;
    }
    return claims;
}

Solver::Claims Solver::certificate(const Interrupt& interrupt) {
    WorkLimit limit({}, or_stopped(interrupt));
    if (exhaustive_) return certificate_to_the_end(limit);
    Certificate certificate(search_, limit);
    const Side mover = position_.turn();
    bool done = true;
    if (solved_.lower == 1 || solved_.upper == -1) {
        done = certificate.claim_win(solved_.lower == 1 ? mover : opponent(mover));
    } else {
        for (Side prover : BOTH_SIDES) {
            if (prover == mover && second_player_cannot_win())
                certificate.claim_stolen_draw();
            else
                done = done && certificate.claim_draw(prover);
        }
    }
    if (!done) return {};
    return {certificate.text(), certificate.symmetries()};
}

void Solver::save(SnapshotWriter& out) const {
    if (exhaustive_)
        exhaustive_->save(out);
    else
        table_.save(out, position_.game().fingerprint());
}

void Solver::load(SnapshotReader& in) {
    if (exhaustive_)
        exhaustive_->load(in);
    else
        table_.load(in, position_.game().fingerprint(), position_.game().cells());
}

}  // namespace noughts
