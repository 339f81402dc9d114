#include "search/worker.hpp"

#include <algorithm>
#include <cstdlib>

namespace noughts {
namespace {

constexpr int INFINITE = WIN + 1;
constexpr int MOST_COMPLETE = 100;  // plies to the end beyond which no search gets there anyway
constexpr Boldness BY_WEIGHTS{100, 6, 0, 0}, BY_NETWORK{200, 0, 5, 600};
constexpr int SHALLOW_MOVES = 3,
              SHALLOW_BY = 4;          // moves that may show it, and plies by which their search is shallower
constexpr int SHARED_FROM = 3;         // the least depth at which threads leave moves to each other
constexpr int LATER = 1 << 29;         // less than any move's score
constexpr int PROMPT_DEPTH = 6;        // enough for a score where there is nothing to choose
constexpr double PROMPT_SHARE = 0.05;  // of the time, after which such a score may be shallower
constexpr int LEAF_CHAIN = 24, NODE_CHAIN = 120;  // moves a forced-win search may try

int to_table(int score, int ply) { return is_win(score) ? score + ply : is_loss(score) ? score - ply : score; }
int from_table(int score, int ply) { return is_win(score) ? score - ply : is_loss(score) ? score + ply : score; }

constexpr std::int64_t ONE = 1 << 16;

// The natural logarithm in units of 1/65536, by squaring: integers only, so that the search is the same everywhere.
constexpr std::int64_t scaled_log(std::uint64_t n) {
    int whole = 0;
    while (n >> whole > 1) ++whole;
    std::uint64_t rest = (n << 31) >> whole;  // 1 to 2, in units of 2^-31
    std::int64_t binary = whole;
    for (int bit = 0; bit < 16; ++bit) {
        rest = (rest * rest) >> 31;
        binary = binary * 2 + static_cast<std::int64_t>(rest >> 32);
        if (rest >> 32) rest >>= 1;
    }
    return binary * 45426 / ONE;  // ln 2
}

// By how much less depth a move is tried at first, by depth and by how late it comes.
constexpr int MOST_REDUCED = 64;
using Reductions = std::array<std::array<std::int8_t, MOST_REDUCED>, MOST_REDUCED>;
constexpr Reductions reductions(int tenths) {
    std::array<std::int64_t, MOST_REDUCED> logs{};
    for (int n = 1; n < MOST_REDUCED; ++n) logs[n] = scaled_log(n);
    Reductions table{};
    for (int depth = 1; depth < MOST_REDUCED; ++depth)
        for (int late = 1; late < MOST_REDUCED; ++late)
            table[depth][late] = static_cast<std::int8_t>((ONE + logs[depth] * logs[late] / ONE * tenths / 22) / ONE);
    return table;
}
constexpr Reductions REDUCTIONS = reductions(10), LARGE_REDUCTIONS = reductions(13);

}  // namespace

Worker::Worker(const Position& position, Table& table, Busy* busy, Judge& judge, std::atomic<bool>& stop,
               const Limits& limits, const Interrupt& interrupt, int number)
    : position_(position),
      game_(position_.game()),
      table_(table),
      busy_(busy),
      limits_(limits),
      work_(limits, interrupt, {}, &stop),
      number_(number),
      tactical_(game_.blocks() == 1 && completing_wins(game_)),
      forks_(tactical_ && !game_.has_gravity()),
      large_(game_.blocks() == 1 && game_.cells() >= LARGE_BOARD),
      judge_(judge),
      boldness_(judge.has_network() ? BY_NETWORK : BY_WEIGHTS),
      corrections_(game_),
      forced_win_(game_),
      fork_(game_),
      order_(game_, MAX_PLY + 1),
      tree_(MAX_PLY + 1),
      moves_(static_cast<std::size_t>(MAX_PLY + 1) * std::min(game_.cells(), 512) + game_.cells()) {}

// --- the root -----------------------------------------------------------------------------------------------------

void Worker::run(int lines, const Root& root, const Progress& progress,
                 const std::vector<std::unique_ptr<Worker>>* all) {
    progress_ = &progress;
    all_ = all;
    lines_ = lines;
    prompt_ = root.prompt && lines == 1 && limits_.seconds > 0;
    list_root_moves(root);
    publish(0, 0);
    const int free = position_.now().free;
    const int deepest = limits_.depth > 0 ? std::min(limits_.depth, free) : free;
    for (int depth = 1; depth <= std::min(deepest, MAX_PLY - 32); ++depth) {
        // Helpers start at different depths, so that they fill the table with different things.
        if (number_ > 0 && depth < deepest && (depth + number_) % 3 == 0) continue;
        if (!deepen(depth)) break;
    }
}

// One move for each orbit, in the order in which to try them: what is known to win first, what is known to lose last.
void Worker::list_root_moves(const Root& root) {
    Setting setting;
    const std::size_t count = gather_moves(0, setting, NO_CELL);
    for (auto& orbit : move_orbits(position_, root.symmetry)) {
        RootMove line;
        line.move = orbit.move;
        line.pv = {orbit.move};
        line.images = std::move(orbit.images);
        for (std::size_t i = 0; i < count; ++i)
            if (moves_[i].move == line.move) line.score = moves_[i].score;
        for (const auto& [move, score] : root.known)
            if (move == line.move) line.is_known = true, line.known = score, line.is_lost = is_loss(score);
        root_.push_back(std::move(line));
    }
    const auto rank = [](const RootMove& line) {
        return std::pair(line.is_known && is_decided(line.known) ? line.known : 0, line.score);
    };
    std::stable_sort(root_.begin(), root_.end(), [&](const auto& a, const auto& b) { return rank(a) > rank(b); });
    // On a large empty board there is no better place than the middle, and no search would tell.
    if (large_ && tactical_ && lines_ == 1 && position_.now().free == game_.cells() && root.known.empty())
        std::erase_if(root_, [best = root_.front().score](const RootMove& line) { return line.score < best; });
    for (auto& line : root_) line.score = -INFINITE;
}

// Whether the first `moves` root moves, with their images, are as many as are wanted.
bool Worker::is_enough(std::size_t moves) const {
    int found = 0;
    for (std::size_t i = 0; i < moves; ++i) found += root_[i].moves();
    return moves == root_.size() || found >= lines_;
}

// Whether a player may move at once: all moves but one, or those symmetric to it, are proven to lose.
bool Worker::has_no_choice(int depth) const {
    if (!prompt_ || (depth < PROMPT_DEPTH && work_.seconds() < PROMPT_SHARE * limits_.seconds)) return false;
    return std::count_if(root_.begin(), root_.end(), [](const RootMove& line) { return !line.is_lost; }) <= 1;
}

// Searches all root moves to one depth; false when there is nothing more to find out.
bool Worker::deepen(int depth) {
    int finished = 0;
    for (; !is_enough(finished) && !work_.is_ended(); ++finished) search_line(depth, finished);
    if (work_.is_ended()) --finished;
    // A move that seemed no better than the best may turn out to be, once it has a search of its own.
    std::stable_sort(root_.begin(), root_.begin() + finished,
                     [](const auto& a, const auto& b) { return a.score > b.score; });
    publish(depth, finished);
    if (work_.is_ended()) return false;
    const bool to_the_end = depth >= position_.now().free;
    if (number_ == 0 && *progress_ && !(*progress_)(report_)) work_.end();
    const bool all_decided =
        std::all_of(root_.begin(), root_.begin() + finished, [](const auto& line) { return is_decided(line.score); });
    const bool all_known = std::all_of(root_.begin(), root_.end(), [](const auto& line) { return line.is_known; });
    return !work_.is_ended() && !to_the_end && !all_decided && !all_known && !has_no_choice(depth);
}

// Finds the best of the root moves from `index` on, within a window round the last score that widens as it must.
void Worker::search_line(int depth, int index) {
    const int guess = root_[index].score;
    const int unit = 40 + std::abs(guess) / 16;
    int below = unit, above = unit;
    const bool open = depth < 4 || guess == -INFINITE || is_decided(guess);
    for (;;) {
        const int alpha = open || below > 16 * unit ? -INFINITE : std::max(-INFINITE, guess - below);
        const int beta = open || above > 16 * unit ? INFINITE : std::min(INFINITE, guess + above);
        const int score = search_root(alpha, beta, depth, index);
        std::stable_sort(root_.begin() + index, root_.end(),
                         [](const auto& a, const auto& b) { return a.score > b.score; });
        if (work_.is_ended() || (score > alpha && score < beta)) return;
        if (alpha == -INFINITE && score <= alpha) return;
        if (beta == INFINITE && score >= beta) return;
        (score <= alpha ? below : above) *= 4;
    }
}

int Worker::search_root(int alpha, int beta, int depth, int first) {
    int best = -INFINITE;
    const bool complete = depth >= position_.now().free;
    for (std::size_t i = first; i < root_.size(); ++i) {
        RootMove& line = root_[i];
        const int score = search_root_move(line, alpha, beta, depth, static_cast<int>(i) == first);
        if (work_.is_ended()) return best;
        line.is_lost = line.is_lost || is_loss(score);
        if (score > alpha || static_cast<int>(i) == first) {
            line.score = score;
            line.proven = line.is_known || is_decided(score) || (complete && score > alpha && score < beta);
            line.pv.assign(1, line.move);
            line.pv.insert(line.pv.end(), tree_[1].pv.begin(), tree_[1].pv.begin() + tree_[1].pv_length);
        } else {
            line.score = -INFINITE;
        }
        best = std::max(best, score);
        alpha = std::max(alpha, score);
        if (alpha >= beta) break;
    }
    return best;
}

int Worker::search_root_move(const RootMove& move, int alpha, int beta, int depth, bool is_first) {
    tree_[1].pv_length = 0;
    if (move.is_known) return move.known;
    play(move.move);
    const int score = search_child(alpha, beta, depth, 0, 0, is_first);
    position_.undo();
    return score;
}

void Worker::publish(int depth, int finished) {
    report_.depth = work_.is_ended() ? report_.depth : depth;
    report_.nodes = 0;
    if (all_)
        for (const auto& worker : *all_) report_.nodes += worker->nodes();
    report_.seconds = work_.seconds();
    report_.hashfull = table_.hashfull();
    std::vector<RootMove> lines(root_.begin(), root_.begin() + finished);
    add_unfinished(lines, finished);
    reported_ = std::move(lines);
    // A move that is known to draw says nothing about the others, one of which may win.
    RootMove& best = reported_.front();
    const bool is_open =
        std::any_of(root_.begin(), root_.end(), [](const auto& line) { return !line.is_known && !line.is_lost; });
    if (best.is_known && best.score == 0 && is_open && report_.depth < position_.now().free) best.proven = false;
    report_.lines.clear();
    for (const RootMove& move : reported_) add_images(move);
}

// Reports a move and the moves symmetric to it, up to the number wanted.
void Worker::add_images(const RootMove& move) {
    const auto is_full = [&] { return static_cast<int>(report_.lines.size()) >= lines_; };
    if (is_full()) return;
    RootLine line = move;
    extend_pv(line.pv);
    report_.lines.push_back(line);
    for (const Permutation* image : move.images) {
        if (is_full()) return;
        RootLine mapped = line;
        for (int& cell : mapped.pv) cell = (*image)[cell];
        mapped.move = mapped.pv.front();
        report_.lines.push_back(std::move(mapped));
    }
}

// Fills up what an interrupted depth left open: with the move it was about to prefer, then with what the last depth
// found, then with estimates. As long as others were not tried, a move is a proof for the position only if it wins, and
// one that loses is the last choice.
void Worker::add_unfinished(std::vector<RootMove>& lines, int finished) {
    if (is_enough(finished)) return;
    int found = 0;
    for (const auto& line : lines) found += line.moves();
    const auto add = [&](const RootMove& line) {
        const bool is_there =
            std::any_of(lines.begin(), lines.end(), [&](const auto& other) { return other.move == line.move; });
        if (is_there || found >= lines_) return;
        found += line.moves();
        lines.push_back(line);
        if (line.score == -INFINITE && line.is_known) lines.back().score = line.known, lines.back().proven = true;
        if (line.score == -INFINITE && !line.is_known)
            lines.back().score = estimate_of(line.move), lines.back().proven = false;
    };
    RootMove current = root_[finished];
    current.proven = is_win(current.score);
    const bool tried = current.score != -INFINITE, lost = tried && is_loss(current.score);
    if (tried && !lost) add(current);
    for (const auto* candidates : {&reported_, &root_})
        for (const auto& line : *candidates)
            if (!lost || line.move != current.move) add(line);
    current.score = std::max(current.score, 1 - BELIEVED);
    add(current);
    std::stable_sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) { return a.score > b.score; });
}

int Worker::estimate_of(int move) {
    position_.play(move);
    const int score = position_.is_over() ? -value_of_end(1) : -estimate_now();
    position_.undo();
    return std::clamp(score, -MOST_ESTIMATED, MOST_ESTIMATED);
}

// Lengthens a principal variation by what the table still knows of it.
void Worker::extend_pv(std::vector<int>& pv) {
    int played = 0;
    for (int move : pv) position_.play(move), ++played;
    Entry entry;
    while (played < 64 && !position_.is_over() && table_.probe(position_.key(), entry) && entry.bound == Bound::EXACT &&
           entry.move >= 0 && position_.is_legal(entry.move)) {
        pv.push_back(entry.move);
        position_.play(entry.move), ++played;
    }
    if (!position_.is_over() && played < 64)
        if (const int cell = winning_move(position_); cell != NO_CELL) pv.push_back(cell);
    while (played-- > 0) position_.undo();
}

// --- the tree -----------------------------------------------------------------------------------------------------

// Returns the score for the side to move: exact between alpha and beta; at or below alpha an upper bound; at or above
// beta a lower bound. A decided score is a proof wherever it lies. Meaningless once work_ has ended.
int Worker::search(int alpha, int beta, int depth, int ply) {
    tree_[ply].pv_length = 0;
    // 1. The end of the game.
    if (position_.is_over()) return value_of_end(ply);
    if (work_.must_end()) return 0;

    // 2. Complete a line at once; else nothing is better than completing one next time, or worse than the opponent's
    // doing so.
    if (winning_move(position_) != NO_CELL) return win_in(ply + 1);
    alpha = std::max(alpha, loss_in(ply));
    beta = std::min(beta, win_in(ply + 1));
    if (alpha >= beta) return alpha;

    // 3. Two threats against us are lost; one has one answer, and costs no depth.
    Setting setting;
    setting.is_pv = beta - alpha > 1;
    if (tactical_) {
        const Threat threat = threat_against(position_);
        if (threat.count > 1) return loss_in(ply + 2);
        setting.forced = threat.cell;
        depth += threat.count;
    }

    // 4. Who can no longer complete a line can no longer win.
    const int free = position_.now().free;
    if (!game_.counts_blocks() && free * 3 < game_.cells() * 2) note_dead_lines(setting);
    alpha = std::max(alpha, setting.floor);
    beta = std::min(beta, setting.ceiling);
    if (alpha >= beta) return std::clamp(alpha, setting.floor, setting.ceiling);

    // 5. What the table knows.
    setting.complete = depth >= free && free <= MOST_COMPLETE;
    int score = 0, table_move = NO_CELL;
    if (cut_by_table(alpha, beta, depth, ply, setting.complete, score, table_move)) return score;
    if (ply >= MAX_PLY - 1) return estimate_now();
    if (depth <= 0) return std::clamp(leaf(alpha, beta, ply, setting), setting.floor, setting.ceiling);

    // 6. Is it decided already? A chain of threats wins; an estimate far above beta will do at low depth.
    setting.judged = judge_now();
    setting.estimate = corrected(setting.judged);
    if (tactical_ && setting.forced == NO_CELL)
        if (const int won = forced_win(ply, NODE_CHAIN)) return won;
    if (forks_ && setting.forced == NO_CELL) setting.forked = fork_.find(position_);
    if (setting.forked && !fork_.has_reply()) return loss_in(ply + 4);
    if (!setting.is_pv && !setting.complete && cut_by_estimate(alpha, beta, depth, setting)) return setting.estimate;

    if (cut_by_shallow_search(beta, depth, ply, setting, table_move, score))
        return std::clamp(score, setting.floor, setting.ceiling);
    if (work_.is_ended()) return 0;

    // 7. Look at the moves.
    score = std::clamp(search_moves(alpha, beta, depth, ply, setting, table_move), setting.floor, setting.ceiling);
    if (!work_.is_ended()) learn_error(score, alpha, beta, depth, setting);
    return score;
}

int Worker::search_moves(int alpha, int beta, int depth, int ply, const Setting& setting, int table_move) {
    const std::size_t first = moves_top_, count = gather_moves(ply, setting, table_move);
    int best = -INFINITE, best_move = NO_CELL;
    // What leaves a threat unanswered is lost and need not be tried.
    bool pruned =
        setting.forced == NO_CELL && !setting.forked && count < static_cast<std::size_t>(position_.count_legal());
    std::size_t tried = 0;
    for (; tried < count; ++tried) {
        ScoredMove move = pick_best(moves_, first + tried, first + count);
        const int late = static_cast<int>(tried);
        const std::uint64_t child = position_.likely_key_after(move.move);
        // Where another thread is at it, the others come first: later the table may know the answer.
        if (move.score <= -LATER / 2) {
            move.score += LATER;
        } else if (busy_ && tried > 0 && depth >= SHARED_FROM && busy_->holds(child + depth)) {
            moves_[first + tried--].score -= LATER;
            continue;
        }
        // 8. Late or hopeless moves at low depth are not worth it, unless everything so far loses. Hopeless ones may
        // still be worth more than the best so far: a bound below that would make a false draw of a drawn ending beside
        // them.
        if (best > -BELIEVED && may_skip(late, depth, setting)) {
            pruned = true;
            break;
        }
        if (best > -BELIEVED && is_hopeless(move, alpha, depth, setting)) {
            pruned = true;
            best = std::max(best, hoped_for(move, depth, setting));
            continue;
        }
        table_.prefetch(child);
        if (busy_ && depth >= SHARED_FROM) busy_->add(child + depth);
        play(move.move);
        const int score = search_child(alpha, beta, depth, ply, reduction(late, depth, setting), tried == 0);
        position_.undo();
        if (busy_ && depth >= SHARED_FROM) busy_->remove(child + depth);
        if (work_.is_ended()) break;
        if (score <= best) continue;
        best = score;
        if (score <= alpha) continue;
        best_move = move.move;
        alpha = score;
        if (setting.is_pv) keep_pv(ply, move.move);
        if (score >= beta) {
            order_.reward(position_, ply, depth, move.move, &moves_[first], tried);
            break;
        }
    }
    moves_top_ = first;
    if (work_.is_ended()) return 0;
    // A loss is proven only when every move was tried.
    if (pruned && is_loss(best)) best = -BELIEVED + ply;
    const Bound bound = best >= beta ? Bound::LOWER : best_move != NO_CELL ? Bound::EXACT : Bound::UPPER;
    table_.store(position_.key(), {best_move, to_table(best, ply),
                                   setting.complete ? TO_THE_END : std::min(depth, TO_THE_END - 1), bound});
    return best;
}

// So many moves in, at this depth, the rest may be left out.
bool Worker::may_skip(int late, int depth, const Setting& setting) const {
    return may_prune(setting) && !setting.is_pv && depth <= boldness_.late_depth && late >= 4 + depth * depth * 3 / 2;
}

// The best score that a quiet move can reach.
int Worker::hoped_for(const ScoredMove& move, int depth, const Setting& setting) const {
    return setting.estimate + boldness_.hope * depth + move.score / 8;
}

// A quiet move that would have to gain more than such moves do.
bool Worker::is_hopeless(const ScoredMove& move, int alpha, int depth, const Setting& setting) const {
    return may_prune(setting) && depth <= 3 && !is_decided(alpha) && move.score < MoveOrder::QUIET &&
           hoped_for(move, depth, setting) <= alpha;
}

// By how much less depth a late move is tried at first.
int Worker::reduction(int late, int depth, const Setting& setting) const {
    if (!may_prune(setting) || depth < 2 || late < 2) return 0;
    const Reductions& table = large_ ? LARGE_REDUCTIONS : REDUCTIONS;
    const int plies =
        table[std::min(depth, MOST_REDUCED - 1)][std::min(late, MOST_REDUCED - 1)] - (setting.is_pv ? 1 : 0);
    return std::clamp(plies, 0, depth - 1);
}

// The position is the child's. Late moves are first tried with less depth and a window of no width.
int Worker::search_child(int alpha, int beta, int depth, int ply, int reduction, bool is_first) {
    if (is_first) return -search(-beta, -alpha, depth - 1, ply + 1);
    int score = -search(-alpha - 1, -alpha, depth - 1 - reduction, ply + 1);
    if (score > alpha && reduction > 0) score = -search(-alpha - 1, -alpha, depth - 1, ply + 1);
    if (score > alpha && score < beta) score = -search(-beta, -alpha, depth - 1, ply + 1);
    return score;
}

int Worker::leaf(int alpha, int beta, int ply, const Setting& setting) {
    if (!tactical_) return quiesce(alpha, beta, ply);
    const int estimate = estimate_now();
    if (estimate >= beta) return estimate;
    if (setting.forced == NO_CELL)
        if (const int won = forced_win(ply, LEAF_CHAIN)) return won;
    if (forks_ && setting.forced == NO_CELL && fork_.find(position_) && !fork_.has_reply()) return loss_in(ply + 4);
    return estimate;
}

// Ultimate: blocks that can be won are won before the position is judged.
int Worker::quiesce(int alpha, int beta, int ply) {
    int best = estimate_now();
    if (best >= beta || game_.blocks() == 1 || ply >= MAX_PLY - 1) return best;
    alpha = std::max(alpha, best);
    for (int w = 0; w < game_.words(); ++w) {
        for (Word cells = position_.completing_word(position_.turn(), w) & position_.legal_word(w); cells;
             cells &= cells - 1) {
            play(w * 64 + std::countr_zero(cells));
            int score;
            if (position_.is_over())
                score = -value_of_end(ply + 1);
            else if (winning_move(position_) != NO_CELL)
                score = -win_in(ply + 2);
            else
                score = -quiesce(-beta, -alpha, ply + 1);
            position_.undo();
            if (work_.must_end()) return 0;
            // Standing pat is a choice, so losses here prove nothing.
            best = std::max(best, score);
            if (score >= beta) return score;
            alpha = std::max(alpha, score);
        }
    }
    return best;
}

// --- shortcuts ----------------------------------------------------------------------------------------------------

int Worker::value_of_end(int ply) const {
    const Side winner = position_.winner();
    if (winner == NOBODY) return 0;
    return winner == position_.turn() ? win_in(ply) : loss_in(ply);
}

void Worker::note_dead_lines(Setting& setting) const {
    const Side self = position_.turn();
    bool can_win = can_complete(position_, self), can_lose = can_complete(position_, 1 - self);
    if (game_.misere()) std::swap(can_win, can_lose);
    if (!can_lose) setting.floor = 0;
    if (!can_win) setting.ceiling = 0;
}

bool Worker::cut_by_table(int alpha, int beta, int depth, int ply, bool complete, int& score, int& table_move) const {
    Entry entry;
    if (!table_.probe(position_.key(), entry)) return false;
    if (entry.move >= 0 && position_.is_legal(entry.move)) table_move = entry.move;
    score = from_table(entry.score, ply);
    const bool is_low = entry.bound == Bound::LOWER || entry.bound == Bound::EXACT;
    const bool is_high = entry.bound == Bound::UPPER || entry.bound == Bound::EXACT;
    // Decided scores are proofs at any depth.
    if ((is_low && is_win(score) && score >= beta) || (is_high && is_loss(score) && score <= alpha)) return true;
    if (entry.depth < (complete ? TO_THE_END : depth)) return false;
    if (entry.bound == Bound::EXACT) return true;
    return (is_low && score >= beta) || (is_high && score <= alpha);
}

// Near the leaves an estimate far above what is needed will do; on a large board, where no chain of threats was found,
// one far below it, too.
bool Worker::cut_by_estimate(int alpha, int beta, int depth, const Setting& setting) const {
    if (!may_prune(setting)) return false;
    if (large_ && tactical_ && depth <= 3 && !is_decided(alpha) && setting.estimate + 150 * depth <= alpha) return true;
    const int margin = large_ ? 35 : 120, deepest = large_ ? 6 : 4;
    return depth <= deepest && !is_decided(beta) && std::abs(beta) < BELIEVED &&
           setting.estimate - margin * depth >= beta;
}

// Whether a much shallower search of the first moves is better than beta by a margin. A win is a proof all the same.
bool Worker::cut_by_shallow_search(int beta, int depth, int ply, const Setting& setting, int table_move, int& score) {
    if (boldness_.shallow_depth == 0 || depth < boldness_.shallow_depth) return false;
    if (setting.is_pv || !may_prune(setting) || std::abs(beta) >= MOST_ESTIMATED) return false;
    const int bound = beta + boldness_.shallow_margin;
    const std::size_t first = moves_top_, count = gather_moves(ply, setting, table_move);
    bool found = false;
    for (std::size_t i = 0; i < std::min<std::size_t>(count, SHALLOW_MOVES) && !found && !work_.is_ended(); ++i) {
        score = try_shallow(pick_best(moves_, first + i, first + count).move, bound, depth, ply);
        found = score >= bound && !work_.is_ended();
    }
    moves_top_ = first;
    if (found && !is_win(score)) score = std::min(score, MOST_ESTIMATED);
    return found;
}

// What a move is worth against a bound: judged at once, and searched only when that looks good enough.
int Worker::try_shallow(int move, int bound, int depth, int ply) {
    play(move);
    int score = 0;
    if (position_.is_over())
        score = -value_of_end(ply + 1);
    else if (winning_move(position_) != NO_CELL)
        score = -win_in(ply + 2);
    else if (score = -quiesce(-bound, -bound + 1, ply + 1); score >= bound)
        score = -search(-bound, -bound + 1, depth - SHALLOW_BY, ply + 1);
    position_.undo();
    return score;
}

// Estimates by the network are corrected by what the search has found out about their errors.
int Worker::corrected(int estimate) const {
    if (!judge_.has_network()) return estimate;
    return std::clamp(estimate + corrections_.of(position_), -MOST_ESTIMATED, MOST_ESTIMATED);
}

// A bound that the estimate keeps to anyway says nothing about its error.
void Worker::learn_error(int score, int alpha, int beta, int depth, const Setting& setting) {
    if (!judge_.has_network() || std::abs(score) >= MOST_ESTIMATED) return;
    if ((score >= beta && score <= setting.judged) || (score <= alpha && score >= setting.judged)) return;
    corrections_.learn(position_, score - setting.judged, depth);
}

// The score of a win by threats alone, or 0. Kept in the table as a proof.
int Worker::forced_win(int ply, int nodes) {
    if (!position_.has_pairs(position_.turn())) return 0;
    const int plies = forced_win_.search(position_, nodes);
    work_.count_nodes(forced_win_.played());
    if (plies == 0) return 0;
    const int score = win_in(ply + plies);
    table_.store(position_.key(), {forced_win_.line().front(), to_table(score, ply), 0, Bound::LOWER});
    return score;
}

// --- moves --------------------------------------------------------------------------------------------------------

// Puts the moves worth trying on the stack and returns how many. On a large board those that touch no line with a mark
// on it are left out, unless there is nothing else.
std::size_t Worker::gather_moves(int ply, const Setting& setting, int table_move) {
    const std::size_t first = moves_top_;
    // Where many moves touch nothing, on a large board with few lines, the stack outgrows its first size.
    if (const std::size_t needed = first + game_.cells(); moves_.size() < needed) moves_.resize(needed);
    std::size_t count = 1;
    if (setting.forced != NO_CELL)
        moves_[first] = {setting.forced, 0};
    else if (setting.forked)
        count = order_.gather_from(position_, ply, table_move, fork_.replies(), moves_, first);
    else
        count = order_.gather(position_, ply, table_move, large_ && !setting.complete, moves_, first);
    moves_top_ = first + count;
    return count;
}

void Worker::keep_pv(int ply, int move) {
    Node& node = tree_[ply];
    const Node& child = tree_[ply + 1];
    node.pv[0] = static_cast<std::int16_t>(move);
    node.pv_length = std::min(child.pv_length + 1, MAX_PLY - 1);
    std::copy_n(child.pv.begin(), node.pv_length - 1, node.pv.begin() + 1);
}

}  // namespace noughts
