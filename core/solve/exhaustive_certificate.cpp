#include "solve/exhaustive_certificate.hpp"

namespace noughts {

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
    if (position().turn() == prover_) {
        std::string text(1, 'm');
        add_edge(text, find_move(), ' ');
        return text;
    }
    std::string text(1, 'r');
    for (int cell : legal_moves()) add_edge(text, cell, ':');
    return text;
}

// Prefers a move that ends the game as claimed, then one that leads to a node already written.
int ExhaustiveCertificate::find_move() {
    int written = NO_CELL;
    for (int cell : legal_moves()) {
        const bool is_end = after(cell, [&] { return position().is_over() && goal_is_met(); });
        if (is_end) return cell;
        if (written == NO_CELL && after(cell, [&] { return !position().is_over() && has_node(); })) written = cell;
    }
    if (written != NO_CELL) return written;
    const int move = solver_.move_reaching(position(), goal_, limit_);
    expect_unlimited();
    return move;
}

std::vector<int> ExhaustiveCertificate::legal_moves() {
    std::vector<int> moves;
    position().for_each_legal([&](int cell) { moves.push_back(cell); });
    return moves;
}

}  // namespace noughts
