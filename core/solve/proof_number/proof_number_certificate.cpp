#include "solve/proof_number/proof_number_certificate.hpp"

#include <algorithm>

#include "tactics/forced_sequence.hpp"

namespace noughts {
namespace {

// A certificate searches this many times longer for forced wins than the search does: each saves a whole subtree.
constexpr int FORCED_WIN_FACTOR = 20;

void expect(bool holds, const char* what) {
    if (!holds) throw std::logic_error(std::string("expected ") + what + " while writing a certificate");
}

}  // namespace

std::string ProofNumberCertificate::write_node() {
    const ProofNumbers numbers = search_.settle(limit_);
    expect_unlimited();
    expect(numbers.is_solved() && numbers.is_proved() == (goal_ == 1), "a position that bears out the claim");
    if (goal_ == 0)
        if (std::string text = write_draw_argument(); !text.empty()) return text;
    return position().turn() == prover_ ? write_move() : write_replies();
}

std::string ProofNumberCertificate::write_draw_argument() {
    const DrawArguments& arguments = search_.draw_arguments();
    if (arguments.has_no_line(position(), opponent(prover_))) return "p";
    if (arguments.potential_is_low(position(), opponent(prover_))) return "s";
    return search_.find_sets() ? set_matching_text(search_.sets()) : std::string();
}

std::string ProofNumberCertificate::write_move() {
    std::string text(1, 'm');
    if (const int cell = winning_move(position()); cell != NO_CELL) {
        add_number(text, ' ', cell);
        return text;
    }
    const int nodes = FORCED_WIN_FACTOR * search_.techniques().forced_win_nodes;
    if (search_.forced_win().find(position(), prover_, nodes)) return forced_win_text(search_.forced_win().attacks());
    const int move = search_.decisive_move(limit_);
    expect_unlimited();
    expect(move != NO_CELL, "a move that decides");
    add_edge(text, move, ' ');
    return text;
}

// A sequence that wins after most replies: completing a line at once, or carrying out a threatened forced win.
std::vector<int> ProofNumberCertificate::default_sequence() {
    if (const Threat threat = threat_against(position()); threat.count > 0) return {threat.cell};
    const int nodes = FORCED_WIN_FACTOR * search_.techniques().threat_nodes;
    if (search_.forced_win().find(position(), prover_, nodes)) return search_.forced_win().attacks();
    return {};
}

int ProofNumberCertificate::top_dominator(int cell) {
    int top = cell;
    for (int next = cell; next != NO_CELL; next = search_.draw_arguments().dominator(position(), top)) top = next;
    return top;
}

// Replaces dominated replies by the replies that dominate them.
ProofNumberCertificate::Replies ProofNumberCertificate::without_dominated(const std::vector<int>& replies) {
    const CellSet live = search_.draw_arguments().live_cells(position());
    Replies result;
    std::vector<int> useless;
    for (const int reply : replies) {
        if (!live.contains(reply)) {
            useless.push_back(reply);
            continue;
        }
        const int top = top_dominator(reply);
        if (top != reply) result.dominated.push_back({reply, top});
        if (std::ranges::find(result.listed, top) == result.listed.end()) result.listed.push_back(top);
    }
    // A cell that lies only on dead lines is dominated by any other cell.
    for (const int reply : useless) {
        if (result.listed.empty()) result.listed.push_back(reply);
        if (result.listed.front() != reply) result.dominated.push_back({reply, result.listed.front()});
    }
    return result;
}

std::string ProofNumberCertificate::write_replies() {
    const std::vector<int> sequence = default_sequence();
    std::size_t legal = 0;
    std::vector<int> unanswered;
    position().for_each_legal([&](int reply) {
        ++legal;
        unanswered.push_back(reply);
    });
    std::erase_if(unanswered, [&](int reply) { return !sequence.empty() && wins_after(position(), reply, sequence); });
    const Replies replies =
        position().game().marks_never_hurt() ? without_dominated(unanswered) : Replies{unanswered, {}};
    std::string text(1, 'r');
    add_replies(text, replies.listed);
    for (const auto& [reply, by] : replies.dominated) {
        add_number(text, ' ', reply);
        add_number(text, '<', by);
    }
    if (!sequence.empty() && replies.listed.size() + replies.dominated.size() < legal) {
        add_default(text, sequence);
    }
    return text;
}

}  // namespace noughts
