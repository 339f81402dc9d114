#include "tactics/threat_search.hpp"

#include <algorithm>

#include "tactics/threat_map.hpp"

namespace noughts {
namespace {

constexpr int MAX_DEPTH = 64;  // limit of the threats in a sequence
constexpr int LARGE = 128;     // boards of this many cells meet the same sequences again and again

}  // namespace

ThreatSearch::ThreatSearch(const Game& game)
    : simple_(!game.has_gravity() && !game.has_guards()),
      candidates_(MAX_DEPTH),
      failed_(FAILURES),
      remembers_unfinished_(game.cells() >= LARGE && ThreatMap::supports(game)),
      times_seen_(game.cells()) {
    for (auto& cells : candidates_) cells.reserve(std::min(game.cells(), 256));
}

int ThreatSearch::search(Position& position, int nodes) {
    played_ = 0;
    limit_ = static_cast<std::uint64_t>(nodes);
    cut_short_ = false;
    sequence_.clear();
    if (position.is_over()) return 0;
    const int plies = attack(position, 0);
    std::reverse(sequence_.begin(), sequence_.end());
    return plies;
}

// Returns the plies in which the side to move completes a line, or 0. If the opponent threatens to complete a line,
// that cell must be filled by a move that makes a threat itself.
int ThreatSearch::attack(Position& position, int depth) {
    if (const Cell cell = winning_move(position); cell != NO_CELL) {
        sequence_.push_back(cell);
        return 1;
    }
    return attack_with_pairs(position, depth, threat_against(position));
}

// Like `attack`, for positions where the side to move cannot complete a line at once and faces the given threat.
int ThreatSearch::attack_with_pairs(Position& position, int depth, const Threat& threat) {
    if (threat.count > 1 || is_known_to_fail(position.key())) return 0;
    if (depth + 1 >= MAX_DEPTH) {
        cut_short_ = true;
        return 0;
    }
    auto& cells = candidates_[depth];
    cells.clear();
    if (threat.count == 1)
        cells.push_back(static_cast<std::uint16_t>(threat.cell));
    else
        find_candidates(position, cells);
    const std::uint64_t left = moves_left();
    const bool was_cut_short = cut_short_;
    cut_short_ = false;
    for (std::size_t i = 0; i < cells.size(); ++i)
        if (const int plies = try_move(position, cells[i], depth)) return plies;
    remember_failure(position.key(), left);
    cut_short_ |= was_cut_short;
    return 0;
}

// Whether an earlier search of the position failed that tried everything, or at least as many moves as are left now.
bool ThreatSearch::is_known_to_fail(std::uint64_t key) {
    const std::uint64_t failure = failed_[key % FAILURES];
    const std::uint64_t moves = failure % (EVERYTHING + 1);
    if (failure - moves != key - key % (EVERYTHING + 1) || moves < std::min(moves_left(), EVERYTHING)) return false;
    cut_short_ |= moves != EVERYTHING;
    return true;
}

void ThreatSearch::remember_failure(std::uint64_t key, std::uint64_t left) {
    if (cut_short_ && !remembers_unfinished_) return;
    const std::uint64_t moves = cut_short_ ? std::min(left, EVERYTHING - 1) : EVERYTHING;
    failed_[key % FAILURES] = key - key % (EVERYTHING + 1) + moves;
}

int ThreatSearch::try_move(Position& position, Cell cell, int depth) {
    if (played_ >= limit_) {
        cut_short_ = true;
        return 0;
    }
    ++played_;
    const ScopedMove move(position, cell);
    if (position.is_over()) return 0;
    if (simple_) return continue_after(position, cell, depth);
    // With gravity, the move may have made the cell above it playable for the opponent.
    if (winning_move(position) != NO_CELL) return 0;
    const Threat made = threat_against(position);
    if (made.count == 0) return 0;
    ++played_;
    const ScopedMove reply(position, made.cell);
    // With two threats, any reply leaves one; the sequence reports the first.
    if (const int plies = position.is_over() ? 0 : attack(position, depth + 1)) {
        sequence_.push_back(made.cell);
        sequence_.push_back(cell);
        return plies + 2;
    }
    return 0;
}

// Like try_move after `cell` was played, for simple games: the change log already holds the threats.
int ThreatSearch::continue_after(Position& position, Cell cell, int depth) {
    const Threat made = threat_made_by_last_move(position);
    if (made.count == 0) return 0;
    if (made.count > 1) {
        sequence_ = {position.completing_changes()[1].number(), made.cell, cell};
        return 3;
    }
    ++played_;
    const ScopedMove reply(position, made.cell);
    if (position.is_over()) return 0;
    const int plies = attack_with_pairs(position, depth + 1, threat_made_by_last_move(position));
    if (plies == 0) return 0;
    sequence_.push_back(made.cell);
    sequence_.push_back(cell);
    return plies + 2;
}

// Finds the cells that make a line lack one: the playable cells of lines that lack two. Cells on several such lines
// come first, since they may make two threats at once.
void ThreatSearch::find_candidates(const Position& position, std::vector<std::uint16_t>& cells) {
    const Game& game = position.game();
    const auto playable = position.playable_cells();
    position.for_each_pair(position.turn(), [&](int line) {
        for (const std::uint16_t cell : game.line_cells(line))
            if (playable.contains(cell) && times_seen_[cell]++ == 0) cells.push_back(cell);
    });
    // std::partition is not used because its order differs between libraries, and the search must be the same
    // everywhere.
    for (std::size_t i = 0, front = 0; i < cells.size(); ++i)
        if (times_seen_[cells[i]] > 1) std::swap(cells[i], cells[front++]);
    for (Cell cell : cells) times_seen_[cell] = 0;
}

namespace {

// Adds the empty cells of a line to the zone if only `side` has marks on it and it lacks at most two cells, so that one
// more mark there makes a threat.
void add_if_threatening(const Position& position, int index, Side side, CellSet& zone) {
    const LineState line = position.line(index);
    if (marks_of(line, opponent(side)) > 0 || empties_of(line) > 2) return;
    for (Cell cell : position.game().line_cells(index)) zone.insert(cell);
}

}  // namespace

CellSet defence_zone(Position& position, const std::vector<Cell>& sequence) {
    const Game& game = position.game();
    const Side attacker = position.turn(), defender = opponent(attacker);
    CellSet zone(game.cells());
    for (int i = 0; i < game.lines(); ++i) add_if_threatening(position, i, defender, zone);
    std::size_t played = 0;
    for (Cell cell : sequence) {
        zone.insert(cell);
        const bool is_reply = played % 2 == 1;
        // The last move ends the game, so it is not played: the attacker's completing cells are the alternatives to it.
        if (++played < sequence.size()) position.play(cell);
        if (is_reply)
            for (int i : game.lines_of(cell)) add_if_threatening(position, i, defender, zone);
        zone |= position.completing_cells(attacker);
    }
    for (; played > 1; --played) position.undo();
    return zone;
}

}  // namespace noughts
