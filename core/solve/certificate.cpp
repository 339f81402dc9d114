#include "solve/certificate.hpp"

#include <algorithm>
#include <stdexcept>

namespace noughts {
namespace {

constexpr int PATIENCE =
    20;  // how many times as far as in the search a forced win is looked for: it saves whole subtrees

void add(std::string& text, char before, int number) {
    text.push_back(before);
    text.append(std::to_string(number));
}

}  // namespace

Certificate::Certificate(ProofNumberSearch& search, WorkLimit& limit) : search_(search), limit_(limit) {
    const auto& elements = search.symmetric_key().symmetry().elements();
    for (std::size_t i = 0; i < elements.size(); ++i) elements_.emplace(elements[i], static_cast<int>(i));
}

void Certificate::expect(bool holds, const char* what) const {
    if (!holds) throw std::logic_error(std::string("expected ") + what + " while writing a certificate");
}

std::vector<Permutation> Certificate::symmetries() const {
    std::vector<Permutation> result;
    for (int index : used_) result.push_back(search_.symmetric_key().symmetry().elements()[index]);
    return result;
}

bool Certificate::claim(Side prover, bool win) {
    prover_ = prover;
    wants_win_ = win;
    nodes_.clear();
    places_.clear();
    search_.set_attacker(win ? prover : opponent(prover));
    const int ply = search_.position().ply();
    std::string root;
    try {
        add_reference(root, ' ');
    } catch (const Spent&) {
        while (search_.position().ply() > ply) search_.undo();
        return false;
    }
    text_ += std::string("claim ") + (prover == X ? "X" : "O") + (win ? " win\n" : " draw\n");
    for (const auto& node : nodes_) text_ += node + "\n";
    return true;
}

// The number of the symmetry that takes the position `there` to the one `here`, given what takes each to the canonical
// one.
int Certificate::symmetry_number(int here, int there) {
    const auto [found, is_new] = numbers_.try_emplace({here, there}, 0);
    if (!is_new) return found->second;
    const auto& first = search_.symmetric_key().symmetry().elements()[there];
    Permutation combined(first.size());
    for (std::size_t cell = 0; cell < first.size(); ++cell)
        combined[cell] = static_cast<std::uint16_t>(search_.symmetric_key().preimage(here, first[cell]));
    const int element = elements_.at(combined);
    const auto at = std::ranges::find(used_, element);
    found->second = static_cast<int>(at - used_.begin());
    if (at == used_.end()) used_.push_back(element);
    return found->second;
}

// The node of the position, written now if it is new, as a reference: `12` or `12/3`.
void Certificate::add_reference(std::string& text, char separator) {
    std::vector<Word> key(search_.symmetric_key().key_words());
    const int symmetry = search_.symmetric_key().write(search_.position(), key);
    const auto [found, is_new] = places_.try_emplace(std::move(key), Place{static_cast<int>(nodes_.size()), symmetry});
    const Place place = found->second;
    if (is_new) {
        nodes_.emplace_back();
        write_node(place.node);
    }
    add(text, separator, place.node);
    if (place.symmetry != symmetry) add(text, '/', symmetry_number(symmetry, place.symmetry));
}

void Certificate::write_node(int node) {
    limit_.count_node();
    limit_.poll();
    const ProofNumbers numbers = search_.settle(limit_);
    if (limit_.is_spent()) throw Spent{};
    expect(numbers.is_solved() && numbers.is_proved() == wants_win_, "a position that bears out the claim");
    Position& position = search_.position();
    if (!wants_win_ && position.game().is_static()) {
        if (search_.draws().has_no_line(position, opponent(prover_))) {
            nodes_[node].assign(1, 'p');
            return;
        }
        if (search_.draws().sum_is_small(position, opponent(prover_))) {
            nodes_[node].assign(1, 's');
            return;
        }
        if (const auto pairs = search_.find_pairing(); !pairs.empty()) {
            nodes_[node].assign(1, 'p');
            for (const auto& [first, second] : pairs) {
                add(nodes_[node], ' ', first);
                add(nodes_[node], '-', second);
            }
            return;
        }
    }
    if (position.turn() == prover_)
        write_mover(node);
    else
        write_replies(node);
}

void Certificate::write_mover(int node) {
    Position& position = search_.position();
    const bool by_lines = position.game().blocks() == 1 && !position.game().misere();
    if (const int cell = winning_move(position); cell != NO_CELL) {
        nodes_[node].assign(1, 'm');
        add(nodes_[node], ' ', cell);
        return;
    }
    if (by_lines && search_.forced_win().find(position, prover_, PATIENCE * search_.techniques().chain_nodes)) {
        std::string text(1, 'f');
        add_forced(text, search_.forced_win().attacks());
        nodes_[node] = std::move(text);
        return;
    }
    const int move = search_.decisive_move(limit_);
    if (limit_.is_spent()) throw Spent{};
    expect(move >= 0, "a move that decides");
    std::string text(1, 'm');
    add_edge(text, move, ' ');
    nodes_[node] = std::move(text);
}

// A move with the node it leads to, or alone when it ends the game.
void Certificate::add_edge(std::string& text, int cell, char separator) {
    add(text, ' ', cell);
    search_.play(cell);
    if (!search_.position().is_over()) add_reference(text, separator);
    search_.undo();
}

// How many of the attacker's moves it takes to win for sure, each forcing one reply; 0 when they do not. With
// `at_once`, a line that can be completed on the way will do.
std::size_t Certificate::count_forced(const std::vector<int>& attacks, bool at_once) {
    Position& position = search_.position();
    const int ply = position.ply();
    std::size_t count = 0;
    bool won = false;
    for (const int attack : attacks) {
        won = at_once && winning_move(position) != NO_CELL;
        if (won || !position.is_legal(attack)) break;
        position.play(attack);
        ++count;
        won = position.is_over() ? position.winner() == prover_
                                 : winning_move(position) == NO_CELL && threat_against(position).count > 1;
        if (won || position.is_over() || winning_move(position) != NO_CELL) break;
        const Threat threat = threat_against(position);
        if (threat.count == 0) break;
        position.play(threat.cell);
        if (position.is_over()) break;
    }
    if (!won && at_once && !position.is_over() && position.turn() == prover_) won = winning_move(position) != NO_CELL;
    while (position.ply() > ply) position.undo();
    return won ? std::max<std::size_t>(count, 1) : 0;
}

bool Certificate::wins_after(int reply, const std::vector<int>& attacks) {
    const ScopedMove move(search_.position(), reply);
    return !search_.position().is_over() && count_forced(attacks, true) > 0;
}

void Certificate::add_forced(std::string& text, const std::vector<int>& attacks) {
    const std::size_t count = count_forced(attacks, false);
    expect(count > 0, "a forced win that can be replayed");
    for (std::size_t i = 0; i < count; ++i) add(text, ' ', attacks[i]);
}

// A sequence that wins after most replies: completing a line at once, or a forced win that is threatened.
std::vector<int> Certificate::default_sequence() {
    Position& position = search_.position();
    if (position.game().blocks() > 1 || position.game().misere()) return {};
    if (const Threat threat = threat_against(position); threat.count > 0) return {threat.cell};
    if (search_.forced_win().find(position, prover_, PATIENCE * search_.techniques().threat_nodes))
        return search_.forced_win().attacks();
    return {};
}

int Certificate::top_dominator(int cell) const {
    int top = cell;
    for (int next = cell; next >= 0; next = search_.draws().dominator(search_.position(), top)) top = next;
    return top;
}

// Moves replies that another does as well to `dominated`, with the other, which is then listed itself.
void Certificate::leave_out_dominated(std::vector<int>& listed, std::vector<std::pair<int, int>>& dominated) const {
    const CellSet live = search_.draws().live_cells(search_.position());
    std::vector<int> kept, useless;
    for (const int reply : listed) {
        const int top = top_dominator(reply);
        if (!live.contains(reply)) {
            useless.push_back(reply);
            continue;
        }
        if (top != reply) dominated.emplace_back(reply, top);
        if (std::ranges::find(kept, top) == kept.end()) kept.push_back(top);
    }
    // A cell on dead lines only is dominated by any other.
    for (const int reply : useless) {
        if (kept.empty()) kept.push_back(reply);
        if (kept.front() != reply) dominated.emplace_back(reply, kept.front());
    }
    listed = std::move(kept);
}

void Certificate::write_replies(int node) {
    Position& position = search_.position();
    const std::vector<int> sequence = default_sequence();
    std::vector<int> listed;
    std::vector<std::pair<int, int>> dominated;
    std::vector<int> replies;
    position.for_each_legal([&](int cell) { replies.push_back(cell); });
    for (const int reply : replies)
        if (sequence.empty() || !wins_after(reply, sequence)) listed.push_back(reply);
    if (position.game().marks_never_hurt()) leave_out_dominated(listed, dominated);
    std::string text(1, 'r');
    for (const int reply : listed) add_edge(text, reply, ':');
    for (const auto& [reply, by] : dominated) {
        add(text, ' ', reply);
        add(text, '<', by);
    }
    if (!sequence.empty() && listed.size() + dominated.size() < replies.size()) {
        text.append(" =");
        for (const int cell : sequence) add(text, ' ', cell);
    }
    nodes_[node] = std::move(text);
}

}  // namespace noughts
