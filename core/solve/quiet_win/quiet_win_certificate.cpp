#include "solve/quiet_win/quiet_win_certificate.hpp"

#include <algorithm>
#include <charconv>

#include "tactics/threats.hpp"

namespace noughts {
namespace {

void add_cells(std::string& text, std::span<const Cell> cells) {
    for (const Cell cell : cells) text.append(" ").append(std::to_string(cell));
}

std::string item(Cell reply, int number) { return " " + std::to_string(reply) + ":" + std::to_string(number); }

}  // namespace

Certificate QuietWinCertificate::write(std::uint64_t most_nodes) {
    most_nodes_ = most_nodes;
    write_node(0);
    Certificate certificate;
    certificate.text = search_.attacker() == X ? "claim X win\n" : "claim O win\n";
    for (std::size_t i = lines_.size(); i-- > 0;) certificate.text += numbered(i) + "\n";
    return certificate;
}

// The nodes were numbered from the leaves; a certificate begins with the root. Relative references make the file of
// similar trees three times smaller when it is compressed.
std::string QuietWinCertificate::numbered(std::size_t node) const {
    const std::string& text = lines_[node];
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const bool is_reference = text[at] == ':' || text[at] == '~' || text[at] == '@';
        if (text[at] != '@') result.push_back(text[at]);
        ++at;
        if (!is_reference) continue;
        if (text[at] == ' ') result.push_back(text[at++]);
        std::size_t number = 0;
        const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), number);
        at = static_cast<std::size_t>(end - text.data());
        result.append("+").append(std::to_string(node - number));
    }
    return result;
}

QuietWinCertificate::Number QuietWinCertificate::add_line(std::string text) {
    limit_.count_node();
    if (limit_.must_end()) throw Interrupted{};
    std::string key = key_of_position();
    const auto [found, is_new] = numbers_.try_emplace(key + text, static_cast<Number>(lines_.size()));
    if (is_new) lines_.push_back(std::move(text));
    if (passes_ == 0) known_.try_emplace(std::move(key), found->second);
    if (lines_.size() > most_nodes_)
        throw CertificateError("no certificate: too large, more than " + std::to_string(most_nodes_) + " nodes");
    return found->second;
}

// The bytes of the marks and the side to move, always the same number of them.
std::string QuietWinCertificate::key_of_position() {
    std::string key(1, position().turn() == X ? 'x' : 'o');
    for (const Side side : BOTH_SIDES)
        key.append(reinterpret_cast<const char*>(position().marks(side).data().data()),
                   position().marks(side).data().size() * sizeof(Word));
    return key;
}

// A node of the current position that may be used here. Below a pass, another win could have too large a zone.
std::optional<QuietWinCertificate::Number> QuietWinCertificate::find_known() {
    if (passes_ > 0) return {};
    const auto known = known_.find(key_of_position());
    return known == known_.end() ? std::nullopt : std::optional(known->second);
}

// A node for the attacker to move that leads to a node already written: one line instead of a tree.
std::optional<QuietWinCertificate::Number> QuietWinCertificate::find_move_to_known() {
    if (passes_ > 0) return {};
    for (const Cell move : position().empty_cells()) {
        std::optional<Number> after;
        {
            const ScopedMove played(position(), move);
            if (!position().is_over()) after = find_known();
        }
        if (after) return add_line("m " + std::to_string(move) + " @" + std::to_string(*after));
    }
    return {};
}

// Writes a node after a move, or after a pass if `move` is NO_CELL.
QuietWinCertificate::Number QuietWinCertificate::write_after(Cell move, const std::function<Number()>& write) {
    if (move != NO_CELL) {
        const ScopedMove played(position(), move);
        return write();
    }
    position().pass();
    ++passes_;
    const Number number = write();
    --passes_;
    position().pass();
    return number;
}

QuietWinCertificate::Number QuietWinCertificate::write_node(QuietWinSearch::Index index) {
    if (const auto known = written_.find(index); known != written_.end()) return known->second;
    const auto known = find_known();
    return written_[index] = known ? *known : write_new_node(index);
}

QuietWinCertificate::Number QuietWinCertificate::write_new_node(QuietWinSearch::Index index) {
    const auto& node = search_.node(index);
    if (node.win) return write_tree(*node.win);
    if (const auto known = node.attacks ? find_move_to_known() : std::nullopt) return *known;
    return add_line(node.attacks ? move_text(index) : replies_text(index));
}

// A reference in the text of a move is marked by `@`, since nothing else tells it from a cell.
std::string QuietWinCertificate::move_text(QuietWinSearch::Index index) {
    const auto [move, node] = search_.winning_edge(search_.node(index));
    const Number after = write_after(move, [&, next = node] { return write_node(next); });
    return "m " + std::to_string(move) + " @" + std::to_string(after);
}

std::string QuietWinCertificate::replies_text(QuietWinSearch::Index index) {
    const auto& node = search_.node(index);
    std::string text = "r", passes;
    for (const auto& [reply, win] : node.answers)
        text += item(reply, write_after(reply, [&] { return write_tree(win); }));
    for (const auto& edge : node.edges) {
        const Number number = write_after(edge.move, [&] { return write_node(edge.node); });
        if (edge.move == NO_CELL)
            passes += " ~ " + std::to_string(number);
        else
            text += item(edge.move, number);
    }
    for (const WinTree& win : node.passes)
        passes += " ~ " + std::to_string(write_after(NO_CELL, [&] { return write_tree(win); }));
    // The opponent must answer a threat: after any other reply, the prover completes a line.
    const bool is_forced = threat_against(position()).count > 0;
    return text + passes + (is_forced ? " =" : "");
}

QuietWinCertificate::Number QuietWinCertificate::write_tree(const WinTree& win, WinTree::Index node) {
    if (const auto known = find_known()) return *known;
    if (!win.is_leaf(node)) {
        const auto known = find_move_to_known();
        return known ? *known : write_attack(win, node);
    }
    std::string text = "f";
    add_cells(text, win.sequence(node));
    return add_line(std::move(text));
}

QuietWinCertificate::Number QuietWinCertificate::write_attack(const WinTree& win, WinTree::Index node) {
    const Number after = write_after(win.attack(node), [&] {
        std::string text = "r";
        for (const auto& [reply, next] : win.replies(node))
            text += item(reply, write_after(reply, [&] { return write_tree(win, next); }));
        text += " =";
        add_cells(text, win.sequence(node));
        return add_line(std::move(text));
    });
    return add_line("m " + std::to_string(win.attack(node)) + " @" + std::to_string(after));
}

}  // namespace noughts
