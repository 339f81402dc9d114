#include "tactics/threats.hpp"

#include <algorithm>

namespace noughts {
namespace {

constexpr int LONGEST_CHAIN = 64;

}  // namespace

int winning_move(const Position& position) {
    const Game& game = position.game();
    if (!completing_wins(game)) return NO_CELL;
    const Side side = position.turn();
    if (game.blocks() > 1 && position.now().outer_completing[side] == 0) return NO_CELL;
    for (int w = 0; w < game.words(); ++w) {
        Word cells = position.completing_word(side, w) & position.legal_word(w);
        if (game.blocks() == 1) {
            if (cells) return w * 64 + std::countr_zero(cells);
            continue;
        }
        for (; cells; cells &= cells - 1) {
            const int cell = w * 64 + std::countr_zero(cells);
            if (position.now().outer_completing[side] >> game.block_of(cell) & 1) return cell;
        }
    }
    return NO_CELL;
}

Threat threat_against(const Position& position) {
    Threat threat;
    for (int w = 0; w < position.game().words(); ++w) {
        const Word cells = position.completing_word(1 - position.turn(), w) & position.playable_word(w);
        if (!cells) continue;
        threat.count += (cells & (cells - 1)) ? 2 : 1;
        threat.cell = w * 64 + std::countr_zero(cells);
        if (threat.count > 1) break;
    }
    return threat;
}

// What the last move threatens; `simple_` games only, where the mover could complete nothing before it.
Threat threat_made(const Position& position) {
    Threat threat;
    const auto changes = position.completing_changes();
    threat.count = static_cast<int>(std::min<std::size_t>(changes.size(), 2));
    if (threat.count > 0) threat.cell = changes.front() / 2;
    return threat;
}

ForcedWin::ForcedWin(const Game& game)
    : simple_(!game.has_gravity() && !game.has_guards()),
      candidates_(LONGEST_CHAIN),
      failed_(1 << 14),
      times_seen_(game.cells()) {
    for (auto& cells : candidates_) cells.reserve(std::min(game.cells(), 256));
}

int ForcedWin::search(Position& position, int nodes) {
    played_ = 0;
    limit_ = static_cast<std::uint64_t>(nodes);
    cut_short_ = false;
    line_.clear();
    if (position.is_over()) return 0;
    const int plies = attack(position, 0);
    std::reverse(line_.begin(), line_.end());
    return plies;
}

// Returns the plies in which the side to move completes a line, or 0. The opponent has no move of its own to make but
// to answer; where it threatens to complete a line itself, that cell must be taken, by a move that is again a threat.
int ForcedWin::attack(Position& position, int depth) {
    if (const int cell = winning_move(position); cell != NO_CELL) {
        line_.push_back(cell);
        return 1;
    }
    return go_on(position, depth, threat_against(position));
}

// The side to move has nothing to complete at once, and faces a threat or none.
int ForcedWin::go_on(Position& position, int depth, const Threat& threat) {
    if (threat.count > 1 || known_to_fail(position.key())) return 0;
    if (depth + 1 >= LONGEST_CHAIN) {
        cut_short_ = true;
        return 0;
    }
    auto& cells = candidates_[depth];
    cells.clear();
    if (threat.count == 1)
        cells.push_back(static_cast<std::uint16_t>(threat.cell));
    else
        find_candidates(position, cells);
    const bool was_cut_short = cut_short_;
    cut_short_ = false;
    for (std::size_t i = 0; i < cells.size(); ++i)
        if (const int plies = try_move(position, cells[i], depth)) return plies;
    if (!cut_short_) failed_[position.key() & (failed_.size() - 1)] = position.key();
    cut_short_ |= was_cut_short;
    return 0;
}

int ForcedWin::try_move(Position& position, int cell, int depth) {
    if (played_ >= limit_) {
        cut_short_ = true;
        return 0;
    }
    ++played_;
    const ScopedMove move(position, cell);
    if (position.is_over()) return 0;
    if (simple_) return keep_forcing(position, cell, depth);
    // Gravity: the move may have given the opponent the cell above it.
    if (winning_move(position) != NO_CELL) return 0;
    const Threat made = threat_against(position);
    if (made.count == 0) return 0;
    ++played_;
    const ScopedMove reply(position, made.cell);
    // With two threats any reply leaves one; the chain is shown with the first.
    if (const int plies = position.is_over() ? 0 : attack(position, depth + 1)) {
        line_.push_back(made.cell);
        line_.push_back(cell);
        return plies + 2;
    }
    return 0;
}

// The two empty cells of each line that lacks two, the same two only once.
void ForkDefence::find_pairs(const Position& position, Side side) {
    const Game& game = position.game();
    pairs_.clear();
    position.for_each_pair(side, [&](int line) {
        int a = 0;
        for (int cell : game.line_cells[line])
            if (position.empty_word(cell >> 6) >> (cell & 63) & 1) {
                a = cell;
                break;
            }
        const Pair pair{static_cast<std::uint16_t>(a),
                        static_cast<std::uint16_t>(sum_of_empties(position.line(line)) - a)};
        if (std::find(pairs_.begin(), pairs_.end(), pair) == pairs_.end()) pairs_.push_back(pair);
    });
}

bool ForkDefence::find(const Position& position) {
    const Side self = position.turn();
    if (!position.has_pairs(1 - self)) return false;
    find_pairs(position, 1 - self);
    int fork = NO_CELL;
    for (const Pair& pair : pairs_)
        for (int cell : {pair.a, pair.b})
            if (++times_seen_[cell] > 1) fork = cell;
    if (fork != NO_CELL) {
        std::fill(replies_.begin(), replies_.end(), 0);
        has_reply_ = false;
        if (prevents_all(fork)) add_reply(fork);
        for (const Pair& pair : pairs_)
            if (pair.a == fork || pair.b == fork)
                if (const int partner = pair.a ^ pair.b ^ fork; prevents_all(partner)) add_reply(partner);
    }
    for (const Pair& pair : pairs_) times_seen_[pair.a] = times_seen_[pair.b] = 0;
    if (fork == NO_CELL) return false;
    position.for_each_pair(self, [&](int line) {
        for (int cell : position.game().line_cells[line])
            if (position.empty_word(cell >> 6) >> (cell & 63) & 1) add_reply(cell);
    });
    return true;
}

// Whether no cell is left in two pairs once the opponent cannot use this one.
bool ForkDefence::prevents_all(int cell) const {
    return std::all_of(pairs_.begin(), pairs_.end(), [&](const Pair& pair) {
        if (pair.a == cell || pair.b == cell) return true;
        const auto left = [&](int end) {
            const bool shared = std::any_of(pairs_.begin(), pairs_.end(), [&](const Pair& other) {
                return (other.a == cell && other.b == end) || (other.b == cell && other.a == end);
            });
            return times_seen_[end] - shared;
        };
        return left(pair.a) <= 1 && left(pair.b) <= 1;
    });
}

// The opponent must answer the move just made: the same as in other games, but nothing has to be looked for.
int ForcedWin::keep_forcing(Position& position, int cell, int depth) {
    const Threat made = threat_made(position);
    if (made.count == 0) return 0;
    if (made.count > 1) {
        line_ = {position.completing_changes()[1] / 2, made.cell, cell};
        return 3;
    }
    ++played_;
    const ScopedMove reply(position, made.cell);
    if (position.is_over()) return 0;
    const int plies = go_on(position, depth + 1, threat_made(position));
    if (plies == 0) return 0;
    line_.push_back(made.cell);
    line_.push_back(cell);
    return plies + 2;
}

namespace {

void add_cell(std::vector<Word>& zone, int cell) { zone[cell >> 6] |= Word{1} << (cell & 63); }

// Adds a line on which `side` is alone and lacks at most two cells: one more mark there makes a threat.
void add_if_threatening(const Position& position, int index, Side side, std::vector<Word>& zone) {
    const LineState line = position.line(index);
    if (marks_of(line, 1 - side) > 0 || empties_of(line) > 2) return;
    for (int cell : position.game().line_cells[index]) add_cell(zone, cell);
}

}  // namespace

void find_zone(Position& position, const std::vector<int>& chain, std::vector<Word>& zone) {
    const Game& game = position.game();
    const Side defender = 1 - position.turn();
    zone.assign(game.words(), 0);
    for (int i = 0; i < game.lines(); ++i) add_if_threatening(position, i, defender, zone);
    std::size_t played = 0;
    for (int cell : chain) {
        add_cell(zone, cell);
        const bool is_reply = played % 2 == 1;
        // The chain's last move ends the game; the cells it had to choose from are threats of the attacker's.
        if (++played < chain.size()) position.play(cell);
        if (is_reply)
            for (int i : game.lines_of[cell]) add_if_threatening(position, i, defender, zone);
        for (int w = 0; w < game.words(); ++w) zone[w] |= position.completing_word(1 - defender, w);
    }
    for (; played > 1; --played) position.undo();
}

// Cells that make a line lack one: the playable empties of lines that lack two. Those on several such lines come first,
// since they may make two threats at once.
void ForcedWin::find_candidates(const Position& position, std::vector<std::uint16_t>& cells) {
    const Game& game = position.game();
    position.for_each_pair(position.turn(), [&](int line) {
        for (int cell : game.line_cells[line]) {
            if (!(position.playable_word(cell >> 6) >> (cell & 63) & 1)) continue;
            if (times_seen_[cell]++ == 0) cells.push_back(static_cast<std::uint16_t>(cell));
        }
    });
    // Not std::partition, whose order is the library's own affair: the search must be the same everywhere.
    for (std::size_t i = 0, front = 0; i < cells.size(); ++i)
        if (times_seen_[cells[i]] > 1) std::swap(cells[i], cells[front++]);
    for (int cell : cells) times_seen_[cell] = 0;
}

}  // namespace noughts
