#include "solve/exhaustive_certificate.hpp"

#include "solve/forced_sequence.hpp"
#include "tactics/threats.hpp"

namespace noughts {
namespace {

constexpr int FORCED_WIN_NODES = 2000;

}  // namespace

ExhaustiveCertificate::ExhaustiveCertificate(ExhaustiveSolver& solver, KeyedPosition& keyed, WorkLimit& limit,
                                             std::uint64_t most_nodes)
    : CertificateWriter(keyed, limit, most_nodes), solver_(solver) {
    if (has_direct_threats(solver.game())) forced_win_.emplace(solver.game());
}

void ExhaustiveCertificate::begin_claim() {
    const bool holds_here = holds();
    expect_unlimited();
    if (!holds_here) throw CertificateError("no certificate: the claim could not be shown to hold");
}

// Whether the prover's value is at least the goal, and so the opponent's at most its opposite.
bool ExhaustiveCertificate::holds() {
    const bool moves = position().turn() == prover_;
    const int alpha = moves ? goal_ - 1 : -goal_;
    const Bounds bounds = solver_.solve(position(), alpha, alpha + 1, limit_).bounds;
    return moves ? bounds.lower >= goal_ : bounds.upper <= -goal_;
}

bool ExhaustiveCertificate::goal_is_met() {
    const int value = value_when_over(position());
    return (position().turn() == prover_ ? value : -value) >= goal_;
}

std::string ExhaustiveCertificate::write_node() {
    return position().turn() == prover_ ? write_move() : write_replies();
}

std::string ExhaustiveCertificate::write_move() {
    std::string text(1, 'm');
    if (const int cell = ending_move(); cell != NO_CELL) {
        add_number(text, ' ', cell);
        return text;
    }
    if (has_forced_win()) return forced_win_text(forced_win_->attacks());
    add_edge(text, find_move(), ' ');
    return text;
}

std::string ExhaustiveCertificate::write_replies() {
    std::vector<int> replies = legal_moves();
    const std::size_t legal = replies.size();
    const std::vector<Cell> sequence = default_sequence();
    if (forced_win_) std::erase_if(replies, [&](int reply) { return wins_after(position(), reply, sequence); });
    std::string text(1, 'r');
    for (const int reply : replies) add_edge(text, reply, ':');
    if (replies.size() < legal) add_default(text, sequence);
    return text;
}

bool ExhaustiveCertificate::has_forced_win() {
    return forced_win_ && forced_win_->find(position(), prover_, FORCED_WIN_NODES);
}

// A sequence that wins after most replies: completing a line at once, or a forced win that is threatened.
std::vector<Cell> ExhaustiveCertificate::default_sequence() {
    if (!forced_win_ || threat_against(position()).count > 0 || !has_forced_win()) return {};
    return forced_win_->attacks();
}

int ExhaustiveCertificate::ending_move() {
    for (const int cell : legal_moves())
        if (after(cell, [&] { return position().is_over() && goal_is_met(); })) return cell;
    return NO_CELL;
}

int ExhaustiveCertificate::find_move() {
    if (const int move = move_to_written_node(); move != NO_CELL) return move;
    const int move = solver_.move_reaching(position(), goal_, limit_);
    expect_unlimited();
    return move;
}

}  // namespace noughts
