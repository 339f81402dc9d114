#include "solve/narrow_win/narrow_win_certificate.hpp"

namespace noughts {

std::string NarrowWinCertificate::write_node() {
    const bool moves = position().turn() == prover_;
    std::string text(1, moves ? 'm' : 'r');
    if (moves)
        add_edge(text, find_move(), ' ');
    else
        add_replies(text, legal_moves());
    return text;
}

int NarrowWinCertificate::find_move() {
    if (const int move = move_to_written_node(); move != NO_CELL) return move;
    const int move = search_.winning_attack(limit_);
    expect_unlimited();
    if (move == NO_CELL) throw CertificateError("no certificate: the claim could not be shown to hold");
    return move;
}

}  // namespace noughts
