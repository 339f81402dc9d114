// Writes the certificates of wins by quiet moves.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "solve/certificate/certificate_writer.hpp"
#include "solve/quiet_win/quiet_win_search.hpp"
#include "support/work_limit.hpp"

namespace noughts {

// Writes the nodes from the leaves to the root. Where no pass is above, a position is written once: any win will serve.
// Below a pass, nodes of the same position may differ, since the pass relies on the zone of its own win; there, equal
// nodes of the same position are written once.
class QuietWinCertificate {
  public:
    // The search must have found a win.
    QuietWinCertificate(QuietWinSearch& search, WorkLimit& limit) : search_(search), limit_(limit) {}

    // Throws CertificateError if there would be more than `most_nodes` nodes, and Interrupted.
    Certificate write(std::uint64_t most_nodes);

  private:
    using Number = int;  // of a node, in the order of writing

    // The current position is that of the node.
    Number write_node(QuietWinSearch::Index index);
    Number write_new_node(QuietWinSearch::Index index);
    std::string move_text(QuietWinSearch::Index index);
    std::string replies_text(QuietWinSearch::Index index);
    Number write_tree(const WinTree& win) { return write_tree(win, win.root()); }
    Number write_tree(const WinTree& win, WinTree::Index node);
    Number write_attack(const WinTree& win, WinTree::Index node);
    std::optional<Number> find_known();
    std::optional<Number> find_move_to_known();
    std::string key_of_position();
    Number add_line(std::string text);
    Number write_after(Cell move, const std::function<Number()>& write);
    std::string numbered(std::size_t node) const;  // its text with the references of the file
    Position& position() { return search_.position(); }

    QuietWinSearch& search_;
    WorkLimit& limit_;
    std::uint64_t most_nodes_ = 0;
    std::vector<std::string> lines_;
    std::unordered_map<std::string, Number> numbers_;  // by position and text
    std::unordered_map<std::string, Number> known_;    // by position, of nodes without a pass above
    std::unordered_map<QuietWinSearch::Index, Number> written_;
    int passes_ = 0;  // above the current node
};

}  // namespace noughts
