#include "search/node_search.hpp"

#include <algorithm>
#include <cstdlib>

namespace noughts {
namespace {

constexpr int MAX_PLIES_TO_END = 100;  // with more plies left, no search reaches the end of the game
constexpr int SHARED_FROM = 3;         // the least depth at which threads avoid each other's moves
// Limits of the search for a forced win, in moves, at leaves and at inner nodes.
constexpr int LEAF_THREATS = 24, NODE_THREATS = 120;

int to_table(int score, int ply) { return is_win(score) ? score + ply : is_loss(score) ? score - ply : score; }
int from_table(int score, int ply) { return is_win(score) ? score - ply : is_loss(score) ? score + ply : score; }

}  // namespace

NodeSearch::NodeSearch(const Position& position, SharedState shared, NetworkEvaluator& network, BlockEndings* endings,
                       WorkLimit& limit)
    : position_(position),
      game_(position_.game()),
      table_(shared.table),
      in_progress_(shared.in_progress),
      network_(network),
      endings_(endings),
      limit_(limit),
      direct_threats_(has_direct_threats(game_)),
      finds_forks_(direct_threats_ && !game_.has_gravity()),
      large_(is_large(game_)),
      pruning_(game_, network.has_network()),
      corrections_(game_),
      threat_search_(game_),
      fork_defence_(game_),
      order_(game_, MAX_PLY + 1, network.has_network()),
      tree_(MAX_PLY + 1),
      moves_(static_cast<std::size_t>(MAX_PLY + 1) * std::min(game_.cells(), 512) + game_.cells()) {}

// Returns the score for the side to move: exact between alpha and beta; at or below alpha an upper bound, at or above
// beta a lower bound. See search_child.
int NodeSearch::search(int alpha, int beta, int depth, int ply) {
    tree_[ply].pv_length = 0;
    // 1. The end of the game.
    if (position_.is_over()) return value_of_end(ply);
    if (limit_.must_end()) return 0;

    // 2. Complete a line at once. If that is impossible, the best possible outcome is to complete one with the next
    // move, the worst that the opponent completes one.
    if (winning_move(position_) != NO_CELL) return win_in(ply + 1);
    alpha = std::max(alpha, loss_in(ply));
    beta = std::min(beta, win_in(ply + 1));
    if (alpha >= beta) return alpha;

    // 3. Facing two threats loses; a single threat must be answered, which costs no depth.
    NodeFacts facts;
    facts.is_pv = beta - alpha > 1;
    if (direct_threats_) {
        const Threat threat = threat_against(position_);
        if (threat.count > 1) return loss_in(ply + 2);
        facts.forced = threat.cell;
        depth += threat.count;
    }

    // 4. A side that can no longer complete a line can no longer win.
    const int free = position_.now().free;
    if (!game_.counts_blocks() && free * 3 < game_.cells() * 2) bound_by_dead_lines(facts);
    alpha = std::max(alpha, facts.floor);
    beta = std::min(beta, facts.ceiling);
    if (alpha >= beta) return std::clamp(alpha, facts.floor, facts.ceiling);

    // 5. The exact value of an ending, unless the search reaches the end of the game and so also finds the length of a
    // win.
    facts.complete = depth >= free && free <= MAX_PLIES_TO_END;
    if (!facts.complete && is_ending())
        if (const auto score = bound_by_ending(alpha, beta, depth, ply, facts)) return *score;

    // 6. The transposition table, and the leaves.
    const TableResult known = probe_table(alpha, beta, depth, ply, facts.complete);
    if (known.cutoff) return *known.cutoff;
    if (ply >= MAX_PLY - 1) return estimate();
    if (depth <= 0) return std::clamp(leaf(alpha, beta, ply, facts), facts.floor, facts.ceiling);

    // 7. Shortcuts: a win by threats, a fork that cannot be stopped, an estimate or a shallow search far above beta.
    facts.evaluation = evaluation();
    facts.estimate = corrected(facts.evaluation);
    if (direct_threats_ && facts.forced == NO_CELL)
        if (const auto won = forced_win(ply, NODE_THREATS)) return *won;
    if (finds_forks_ && facts.forced == NO_CELL) facts.forked = fork_defence_.find(position_);
    if (facts.forked && !fork_defence_.has_reply()) return loss_in(ply + 4);
    if (pruning_.cuts_by_estimate(alpha, beta, depth, facts)) return facts.estimate;
    if (pruning_.tries_shallow_search(beta, depth, facts))
        if (const auto score = cut_by_shallow_search(beta, depth, ply, facts, known.move))
            return std::clamp(*score, facts.floor, facts.ceiling);
    if (limit_.is_ended()) return 0;

    // 8. The moves.
    const int score = std::clamp(search_moves(alpha, beta, depth, ply, facts, known.move), facts.floor, facts.ceiling);
    if (!limit_.is_ended()) learn_error(score, alpha, beta, depth, facts);
    return score;
}

int NodeSearch::search_moves(int alpha, int beta, int depth, int ply, const NodeFacts& facts, Cell table_move) {
    const std::size_t first = moves_top_, count = gather_moves(ply, facts, table_move);
    int best = -INFINITE_SCORE;
    Cell best_move = NO_CELL;
    // Moves that leave a threat unanswered lose, so leaving them out does not count as pruning.
    bool pruned = facts.forced == NO_CELL && !facts.forked && count < static_cast<std::size_t>(position_.count_legal());
    MovePicker picker(moves_, first, count);
    while (const auto move = picker.next()) {
        const int late = static_cast<int>(picker.tried());
        const std::uint64_t child = position_.likely_key_after(move->move);
        const bool shared = in_progress_ && depth >= SHARED_FROM;
        // Another thread is searching this move: defer it, since the table may have the answer later (simplified
        // ABDADA).
        if (shared && picker.is_deferrable() && in_progress_->contains(child, depth)) {
            picker.defer();
            continue;
        }
        // 9. Skip late and futile moves at low depth, unless all moves so far lose. The score of a futile move may be
        // above the best so far: returning a lower bound here could turn the drawn ending of another move into a false
        // draw.
        if (best > -BELIEVED && pruning_.skips_late_moves(late, depth, facts)) {
            pruned = true;
            break;
        }
        if (best > -BELIEVED && pruning_.is_futile(*move, alpha, depth, facts)) {
            pruned = true;
            best = std::max(best, pruning_.reachable_score(*move, depth, facts));
            continue;
        }
        table_.prefetch(child);
        if (shared) in_progress_->add(child, depth);
        play(move->move);
        const int score = search_child(alpha, beta, depth, ply, pruning_.reduction(late, depth, facts), late == 0);
        position_.undo();
        if (shared) in_progress_->remove(child, depth);
        if (limit_.is_ended()) break;
        if (score <= best) continue;
        best = score;
        if (score <= alpha) continue;
        best_move = move->move;
        alpha = score;
        if (facts.is_pv) store_pv(ply, move->move);
        if (score >= beta) {
            order_.reward(position_, ply, depth, move->move, picker.tried_before());
            break;
        }
    }
    moves_top_ = first;
    if (limit_.is_ended()) return 0;
    // A loss is proven only if every move was tried.
    if (pruned && is_loss(best)) best = -BELIEVED + ply;
    const Bound bound = best >= beta ? Bound::LOWER : best_move != NO_CELL ? Bound::EXACT : Bound::UPPER;
    table_.store(position_.key(), {best_move, to_table(best, ply),
                                   facts.complete ? TO_THE_END : std::min(depth, TO_THE_END - 1), bound});
    return best;
}

int NodeSearch::search_child(int alpha, int beta, int depth, int ply, int reduction, bool is_first) {
    if (is_first) return -search(-beta, -alpha, depth - 1, ply + 1);
    int score = -search(-alpha - 1, -alpha, depth - 1 - reduction, ply + 1);
    if (score > alpha && reduction > 0) score = -search(-alpha - 1, -alpha, depth - 1, ply + 1);
    if (score > alpha && score < beta) score = -search(-beta, -alpha, depth - 1, ply + 1);
    return score;
}

int NodeSearch::leaf(int alpha, int beta, int ply, const NodeFacts& facts) {
    if (!direct_threats_) return quiesce(alpha, beta, ply);
    const int score = estimate();
    if (score >= beta || facts.forced != NO_CELL) return score;
    if (const auto won = forced_win(ply, LEAF_THREATS)) return *won;
    if (finds_forks_ && fork_defence_.find(position_) && !fork_defence_.has_reply()) return loss_in(ply + 4);
    return score;
}

// Quiescence search for games of several blocks: blocks that can be won are won before the position is evaluated.
int NodeSearch::quiesce(int alpha, int beta, int ply) {
    int best = estimate();
    if (best >= beta || game_.has_one_block() || ply >= MAX_PLY - 1) return best;
    alpha = std::max(alpha, best);
    for (Cell cell : position_.completing_cells(position_.turn()) & position_.legal_cells()) {
        play(cell);
        int score;
        if (position_.is_over())
            score = -value_of_end(ply + 1);
        else if (winning_move(position_) != NO_CELL)
            score = -win_in(ply + 2);
        else
            score = -quiesce(-beta, -alpha, ply + 1);
        position_.undo();
        if (limit_.must_end()) return 0;
        // Other moves are not tried, so a loss found here proves nothing.
        best = std::max(best, score);
        if (score >= beta) return score;
        alpha = std::max(alpha, score);
    }
    return best;
}

// --- shortcuts ----------------------------------------------------------------------------------------------------

int NodeSearch::value_of_end(int ply) const {
    const Side winner = position_.winner();
    if (winner == NO_SIDE) return 0;
    return winner == position_.turn() ? win_in(ply) : loss_in(ply);
}

void NodeSearch::bound_by_dead_lines(NodeFacts& facts) const {
    const Reach reach = reach_of(position_);
    if (!reach.loss) facts.floor = 0;
    if (!reach.win) facts.ceiling = 0;
}

// Looks up the value of an ending, as far as it matters within the window. Returns a score if that settles the node:
// for a draw, a value outside the window, or a leaf. Otherwise narrows the window, so that the search only has to find
// the shortest win.
std::optional<int> NodeSearch::bound_by_ending(int& alpha, int& beta, int depth, int ply, NodeFacts& facts) {
    const int most_plies = ply + position_.now().free;
    const bool wins = beta > 0 && endings_->reaches(position_, 1, limit_);
    const bool loses = !wins && alpha < 0 && !endings_->reaches(position_, 0, limit_);
    if (limit_.is_ended()) return 0;
    if (!wins && !loses) return 0;
    if (wins) alpha = std::max(alpha, facts.floor = win_in(most_plies));
    if (loses) beta = std::min(beta, facts.ceiling = loss_in(most_plies));
    if (alpha < beta && depth > 0) return std::nullopt;
    return wins ? facts.floor : facts.ceiling;
}

Cell NodeSearch::drawing_move() {
    for (const ScoredMove& move : scored_moves()) {
        const ScopedMove played(position_, move.move);
        const bool draws =
            position_.is_over() ? position_.winner() == NO_SIDE : !endings_->reaches(position_, 1, limit_);
        if (limit_.is_ended()) return NO_CELL;
        if (draws) return move.move;
    }
    return NO_CELL;
}

NodeSearch::TableResult NodeSearch::probe_table(int alpha, int beta, int depth, int ply, bool complete) const {
    TableResult result;
    const auto entry = table_.probe(position_.key());
    if (!entry) return result;
    if (entry->move >= 0 && position_.is_legal(entry->move)) result.move = entry->move;
    const int score = from_table(entry->score, ply);
    const bool is_lower = entry->bound == Bound::LOWER || entry->bound == Bound::EXACT;
    const bool is_upper = entry->bound == Bound::UPPER || entry->bound == Bound::EXACT;
    // Decided scores are proofs, no matter at which depth they were found.
    const bool is_proof =
        (is_lower && is_win(score) && score >= beta) || (is_upper && is_loss(score) && score <= alpha);
    const bool is_deep = entry->depth >= (complete ? TO_THE_END : depth);
    const bool settles = (is_lower && is_upper) || (is_lower && score >= beta) || (is_upper && score <= alpha);
    if (is_proof || (is_deep && settles)) result.cutoff = score;
    return result;
}

// The score of one of the first moves, if a much shallower search shows that it exceeds beta by a margin. A win found
// this way is a proof.
std::optional<int> NodeSearch::cut_by_shallow_search(int beta, int depth, int ply, const NodeFacts& facts,
                                                     Cell table_move) {
    const int bound = pruning_.shallow_bound(beta);
    const std::size_t first = moves_top_, count = gather_moves(ply, facts, table_move);
    std::optional<int> found;
    for (std::size_t i = 0; i < std::min<std::size_t>(count, Pruning::SHALLOW_MOVES); ++i) {
        const int score = search_shallow(pick_best(moves_, first + i, first + count).move, bound, depth, ply);
        if (limit_.is_ended()) break;
        if (score < bound) continue;
        found = is_win(score) ? score : std::min(score, MOST_ESTIMATED);
        break;
    }
    moves_top_ = first;
    return found;
}

// The score of a move relative to a bound: first by quiescence search and, only if that reaches the bound, by a deeper
// search.
int NodeSearch::search_shallow(Cell move, int bound, int depth, int ply) {
    play(move);
    int score = 0;
    if (position_.is_over()) {
        score = -value_of_end(ply + 1);
    } else if (winning_move(position_) != NO_CELL) {
        score = -win_in(ply + 2);
    } else {
        score = -quiesce(-bound, -bound + 1, ply + 1);
        if (score >= bound) score = -search(-bound, -bound + 1, depth - Pruning::SHALLOW_REDUCTION, ply + 1);
    }
    position_.undo();
    return score;
}

// The evaluation, corrected by the errors that the search has found so far; only evaluations by a network are
// corrected.
int NodeSearch::corrected(int evaluation) const {
    if (!network_.has_network()) return evaluation;
    return std::clamp(evaluation + corrections_.of(position_), -MOST_ESTIMATED, MOST_ESTIMATED);
}

// Records the error of the evaluation. A bound that the evaluation already satisfies says nothing about the error.
void NodeSearch::learn_error(int score, int alpha, int beta, int depth, const NodeFacts& facts) {
    if (!network_.has_network() || std::abs(score) >= MOST_ESTIMATED) return;
    if ((score >= beta && score <= facts.evaluation) || (score <= alpha && score >= facts.evaluation)) return;
    corrections_.learn(position_, score - facts.evaluation, depth);
}

// The score of a win by threats alone, if one is found. Stores it in the table as a proof.
std::optional<int> NodeSearch::forced_win(int ply, int nodes) {
    if (!position_.has_pairs(position_.turn())) return std::nullopt;
    const int plies = threat_search_.search(position_, nodes);
    limit_.count_chain(threat_search_.played());
    if (plies == 0) return std::nullopt;
    const int score = win_in(ply + plies);
    table_.store(position_.key(), {threat_search_.sequence().front(), to_table(score, ply), 0, Bound::LOWER});
    return score;
}

// --- moves --------------------------------------------------------------------------------------------------------

// Puts the moves to try on the stack and returns their number. On a large board, moves that touch no marked line are
// left out unless there are no others.
std::size_t NodeSearch::gather_moves(int ply, const NodeFacts& facts, Cell table_move) {
    const std::size_t first = moves_top_;
    // On a large board with few lines, most moves may touch no line, and the stack outgrows its initial size.
    if (const std::size_t needed = first + game_.cells(); moves_.size() < needed) moves_.resize(needed);
    std::size_t count = 1;
    if (facts.forced != NO_CELL)
        moves_[first] = {facts.forced, 0};
    else if (facts.forked)
        count = order_.gather_from(position_, ply, table_move, fork_defence_.replies(), moves_, first);
    else
        count = order_.gather(position_, ply, table_move, large_ && !facts.complete, moves_, first);
    moves_top_ = first + count;
    return count;
}

std::vector<ScoredMove> NodeSearch::scored_moves() {
    const auto count = static_cast<std::ptrdiff_t>(gather_moves(0, {}, NO_CELL));
    moves_top_ = 0;
    return {moves_.begin(), moves_.begin() + count};
}

int NodeSearch::root_reduction(int late, int depth) {
    if (!has_selective_root()) return 0;
    NodeFacts facts;
    facts.is_pv = true;
    facts.forced = threat_against(position_).cell;
    facts.forked = finds_forks_ && facts.forced == NO_CELL && fork_defence_.find(position_);
    return pruning_.reduction(late, depth, facts);
}

void NodeSearch::store_pv(int ply, Cell move) {
    Node& node = tree_[ply];
    const Node& child = tree_[ply + 1];
    node.pv[0] = static_cast<std::int16_t>(move);
    node.pv_length = std::min(child.pv_length + 1, MAX_PLY - 1);
    std::copy_n(child.pv.begin(), node.pv_length - 1, node.pv.begin() + 1);
}

}  // namespace noughts
