#include "solve/proof_number/proof_number_method.hpp"

#include <algorithm>
#include <memory>

#include "solve/proof_number/proof_estimate.hpp"
#include "solve/proof_number/proof_number_certificate.hpp"
#include "solve/static_draw/draw_arguments.hpp"
#include "tactics/threats.hpp"

namespace noughts {
namespace {

constexpr std::uint64_t FIRST_SHARE = 10'000;       // nodes for the first question before the other one gets its turn
constexpr std::uint64_t FIRST_SMALL_SHARE = 1'000;  // the same where there are further searches to try
constexpr std::uint64_t BREAKER_PART = 16;  // a BreakerSearch gets this fraction of a share: its nodes take longer
// A QuietWinSearch gets this many shares: on large boards it wins where the other searches fail.
constexpr std::uint64_t QUIET_SHARES = 2;

}  // namespace

ProofNumberMethod::ProofNumberMethod(const Position& position, const Symmetry& symmetry, std::size_t megabytes,
                                     int threads, ProofTechniques techniques)
    : position_(position),
      symmetry_(symmetry),
      techniques_(techniques),
      threads_(threads),
      table_(SymmetricKey(position, symmetry).key_words(), megabytes, threads),
      breaker_(position, symmetry, table_, threads),
      quiet_(position, megabytes) {
    start_from(position);
}

void ProofNumberMethod::start_from(const Position& position) {
    position_ = position;
    team_.form(threads_, [&](PositionsInProgress* in_progress) {
        return std::make_unique<ProofNumberSearch>(position_, symmetry_, table_, techniques_, in_progress);
    });
    breaker_.start_from(position);
    quiet_.start_from(position);
    can_win_ = {{Answer::UNKNOWN, Answer::UNKNOWN}};
}

void ProofNumberMethod::solve(SolveTask& task) {
    if (second_player_cannot_win(position_)) can_win_[opponent(position_.turn())] = Answer::NO;
    conclude(task.result);
    ask_all(task);
    if (!task.result.move_is_proven && task.attacker == NO_SIDE) task.result.move = find_move(task);
}

// A draw means that neither side can force a win. So the questions about the two sides take turns, with growing shares
// of work, until one answer implies the other. After each turn, the search for wins by quiet moves and the breaker
// question get their shares.
void ProofNumberMethod::ask_all(SolveTask& task) {
    const Side mover = position_.turn();
    const auto is_done = [&] { return task.is_solved() || task.limit.is_spent(); };
    const auto is_open = [&](Side side) {
        return can_win_[side] == Answer::UNKNOWN && task.attacker != opponent(side) && !is_done();
    };
    // The table may come from an earlier solve and hold the answer of a breaker question.
    if (table_.entries() > 0 && !breaker_.was_asked())
        for (const Side side : {mover, opponent(mover)})
            if (is_open(side) && may_ask_breaker(opponent(side), task)) ask_breaker(opponent(side), 1, task);
    const bool has_one_question = second_player_cannot_win(position_) || task.attacker != NO_SIDE;
    const bool has_further_searches =
        team_.leader().finds_fork_wins() || may_ask_breaker(X, task) || may_ask_breaker(O, task);
    for (std::uint64_t share = has_further_searches ? FIRST_SMALL_SHARE : FIRST_SHARE; !is_done(); share *= 2)
        for (const Side side : {mover, opponent(mover)}) {
            const bool is_only_search =
                has_one_question && !may_ask_breaker(opponent(side), task) && !quiet_.may_ask(side);
            if (is_open(side)) ask(side, is_only_search ? WorkLimit::UNLIMITED : share, task);
            if (is_open(side) && quiet_.may_ask(side)) ask_quiet(side, QUIET_SHARES * share, task);
            if (is_open(side) && may_ask_breaker(opponent(side), task))
                ask_breaker(opponent(side), share / BREAKER_PART, task);
        }
}

void ProofNumberMethod::ask(Side attacker, std::uint64_t share, SolveTask& task) {
    task.limit.set_share(share);
    const ProofNumbers numbers = team_.search(attacker, task.limit);
    task.limit.set_share(WorkLimit::UNLIMITED);
    task.result.numbers = numbers;
    if (numbers.is_solved()) can_win_[attacker] = numbers.is_proved() ? Answer::YES : Answer::NO;
    conclude(task.result);
}

// Certificates of single questions are joined to larger ones, which cannot contain claims `block`.
bool ProofNumberMethod::may_ask_breaker(Side breaker, const SolveTask& task) const {
    return task.attacker == NO_SIDE && breaker_.may_ask(breaker);
}

void ProofNumberMethod::ask_breaker(Side breaker, std::uint64_t share, SolveTask& task) {
    if (breaker_.ask(breaker, share, task.limit) == Answer::YES) can_win_[opponent(breaker)] = Answer::NO;
    conclude(task.result);
}

void ProofNumberMethod::ask_quiet(Side attacker, std::uint64_t share, SolveTask& task) {
    if (quiet_.ask(attacker, share, task.limit) == Answer::YES) can_win_[attacker] = Answer::YES;
    conclude(task.result);
}

void ProofNumberMethod::conclude(SolveResult& result) const {
    const Side mover = position_.turn();
    if (can_win_[mover] == Answer::YES) result.lower = 1;
    if (can_win_[mover] == Answer::NO) result.upper = std::min(result.upper, 0);
    if (can_win_[opponent(mover)] == Answer::YES) result.upper = -1;
    if (can_win_[opponent(mover)] == Answer::NO) result.lower = std::max(result.lower, 0);
}

// Needed even if strategy stealing has given the value: it shows that some move holds, not which.
int ProofNumberMethod::find_move(SolveTask& task) {
    const Side mover = position_.turn();
    const SolveResult& result = task.result;
    if (result.lower == -1) return NO_CELL;
    if (const int cell = winning_move(position_); cell != NO_CELL) return cell;
    if (quiet_.answer(mover) == Answer::YES) return quiet_.move();
    const Side attacker = result.lower == 1 ? mover : opponent(mover);
    for (std::uint64_t share = FIRST_SMALL_SHARE; !task.limit.is_spent(); share *= 2) {
        if (attacker != mover && breaker_.answer(mover) == Answer::YES)
            if (const int cell = breaker_.find_move(task.limit); cell != NO_CELL) return cell;
        const bool tries_breaker = attacker != mover && may_ask_breaker(mover, task);
        task.limit.set_share(tries_breaker ? share : WorkLimit::UNLIMITED);
        const bool is_settled = team_.search(attacker, task.limit).is_solved();
        task.limit.set_share(WorkLimit::UNLIMITED);
        if (is_settled) return team_.leader().decisive_move(task.limit);
        if (tries_breaker) ask_breaker(mover, share / BREAKER_PART, task);
    }
    return NO_CELL;
}

void ProofNumberMethod::report(SolveProgress& progress, std::uint64_t) const {
    progress.table = table_.use();
    if (breaker_.is_running()) return breaker_.report(progress);
    if (quiet_.is_running()) return quiet_.report(progress);
    const ProofNumberSearch& search = team_.leader();
    progress.attacker = search.attacker();
    progress.numbers = search.root_numbers();
    const bool is_other_open = can_win_[opponent(search.attacker())] == Answer::UNKNOWN;
    progress.share = estimate_progress(
        {search.first_numbers(), search.root_numbers(), search.searched_moves(), is_other_open, progress.nodes});
    progress.path = search.path();
}

// A draw has two claims. Claims `block` come last.
Certificate ProofNumberMethod::prove(const Claims& claims, CertificateTask& task) {
    if (const Claim& first = claims.front(); first.goal == 1 && quiet_.answer(first.prover) == Answer::YES)
        return quiet_.prove(first.prover, task.limit);
    ProofNumberCertificate writer(team_.leader(), task.limit);
    task.writer = &writer;
    writer.expect_claims(claims);
    std::vector<Side> breakers;
    for (const Claim& claim : claims)
        if (claims.size() == 2 && !claim.is_stolen && breaker_.answer(claim.prover) == Answer::YES)
            breakers.push_back(claim.prover);
        else
            writer.add(claim);
    return breakers.empty() ? writer.certificate() : breaker_.prove(breakers, writer, task);
}

void ProofNumberMethod::save(SnapshotWriter& out) const { table_.save(out, position_.game().fingerprint()); }

void ProofNumberMethod::load(SnapshotReader& in) {
    table_.load(in, position_.game().fingerprint(), position_.game().cells());
}

}  // namespace noughts
