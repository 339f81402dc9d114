#include "search/root_search.hpp"

#include <algorithm>
#include <cstdlib>

namespace noughts {
namespace {

// If there is only one sensible move, the search ends after PROMPT_SECONDS, too short to be noticed; its results help
// to choose the next move. Under a clock, where time can be saved, it ends as soon as it has a score.
constexpr double PROMPT_SECONDS = 0.05;
constexpr double PROMPT_SHARE = 0.05;  // of the time for the move under a clock, if that is less than PROMPT_SECONDS
constexpr int PROMPT_DEPTH = 6;        // sufficient under a clock
constexpr int LEAST_PROMPT_DEPTH = 2;  // always reached, even if that takes longer
// The search for threats at the root gets one node in THREAT_SHARE, in steps of some milliseconds.
constexpr int THREAT_SHARE = 32, THREAT_STEP = 4096, MAX_THREAT_NODES = 1 << 19;
constexpr int MAX_PV = 64;  // plies of a reported variation

constexpr auto by_score = [](const auto& a, const auto& b) { return a.score > b.score; };

}  // namespace

RootSearch::RootSearch(const Position& position, SharedState shared, NetworkEvaluator& network, BlockEndings* endings,
                       const Limits& limits, const std::atomic<bool>& stop, const Interrupt& interrupt, int number)
    : limits_(limits),
      limit_(limits, interrupt, {}, &stop),
      nodes_(position, shared, network, endings, limit_),
      table_(shared.table),
      number_(number),
      is_ending_(nodes_.is_ending()) {}

void RootSearch::run(int lines, const Root& root, const Progress& progress,
                     const std::vector<std::unique_ptr<RootSearch>>* threads) {
    progress_ = &progress;
    threads_ = threads;
    lines_ = lines;
    prompt_ = root.prompt && lines == 1 && limits_.seconds > 0;
    saves_time_ = root.target > 0;
    if (prompt_ && number_ == 0) time_manager_ = TimeManager(root.target, limits_.seconds);
    list_root_moves(root);
    publish(0, 0);
    const int free = nodes_.position().now().free;
    const int deepest = limits_.depth > 0 ? std::min(limits_.depth, free) : free;
    for (int depth = 1; depth <= std::min(deepest, NodeSearch::MAX_PLY - 32); ++depth) {
        // Helpers skip different depths, so that they fill the table with different entries.
        if (number_ > 0 && depth < deepest && (depth + number_) % 3 == 0) continue;
        if (!deepen(depth)) break;
        if (number_ == 0 && finds_threats() && lines_ == 1) break;
        if (limit_.is_ended()) break;
    }
}

// Lists one move for each orbit, in the order in which they are tried: known wins first, known losses last.
void RootSearch::list_root_moves(const Root& root) {
    const Position& position = nodes_.position();
    const Game& game = position.game();
    std::vector<std::optional<int>> scores(game.cells()), known(game.cells());
    for (const ScoredMove& candidate : nodes_.scored_moves()) scores[candidate.move] = candidate.score;
    for (const auto& each : root.known) known[each.move] = each.score;
    const bool selective = nodes_.has_selective_root() && lines_ == 1;
    for (auto& orbit : move_orbits(position, root.symmetry)) {
        RootMove move;
        move.move = orbit.move;
        move.pv = {orbit.move};
        move.images = std::move(orbit.images);
        move.score = scores[move.move].value_or(move.score);
        move.known = known[move.move];
        move.is_lost = move.known && is_loss(*move.known);
        move.is_remote = selective && !scores[move.move] && !move.known;
        moves_.push_back(std::move(move));
    }
    const auto rank = [](const RootMove& move) {
        return std::pair(move.known && is_decided(*move.known) ? *move.known : 0, move.score);
    };
    std::stable_sort(moves_.begin(), moves_.end(), [&](const auto& a, const auto& b) { return rank(a) > rank(b); });
    // On a large empty board only the centre is tried: no move is better, and a search would show no difference.
    if (is_large(game) && has_direct_threats(game) && lines_ == 1 && position.now().free == game.cells() &&
        root.known.empty())
        std::erase_if(moves_, [best = moves_.front().score](const RootMove& move) { return move.score < best; });
    for (auto& move : moves_) move.score = -INFINITE_SCORE;
}

// Whether the first `moves` root moves and their images are as many moves as wanted.
bool RootSearch::is_enough(std::size_t moves) const {
    int found = 0;
    for (std::size_t i = 0; i < moves; ++i) found += moves_[i].count();
    return moves == moves_.size() || found >= lines_;
}

// Whether a player has only one sensible move: all others, except those symmetric to it, are proven to lose.
bool RootSearch::has_no_choice() const {
    return std::count_if(moves_.begin(), moves_.end(), [](const RootMove& move) { return !move.is_lost; }) <= 1;
}

// Whether moves that touch no marked line may be left out: while at least two other moves are not proven to lose. So a
// loss is claimed, or a single move played at once, only after all moves were tried.
bool RootSearch::skips_remote_moves() const {
    return std::count_if(moves_.begin(), moves_.end(),
                         [](const RootMove& move) { return !move.is_remote && !move.is_lost; }) > 1;
}

// Whether a player should move after this depth. If there is only one sensible move, the search continues for a moment
// to find a score.
bool RootSearch::is_enough_for_play(int depth) {
    if (!prompt_) return false;
    if (!has_no_choice()) return time_manager_.is_enough(limit_.seconds(), moves_.front().move, moves_.front().score);
    if (depth < LEAST_PROMPT_DEPTH) return false;
    limit_.shorten(saves_time_ ? std::min(PROMPT_SHARE * limits_.seconds, PROMPT_SECONDS) : PROMPT_SECONDS);
    return (saves_time_ && depth >= PROMPT_DEPTH) || limit_.poll();
}

// Looks for a win by threats and by threats of a fork, with a share of the nodes, in steps short enough to obey the
// limit. This looks further ahead than the search, and its wins are proofs.
bool RootSearch::finds_threats() {
    if (!nodes_.has_selective_root()) return false;
    Position& position = nodes_.position();
    const int share = static_cast<int>(std::min<std::uint64_t>(limit_.nodes() / THREAT_SHARE, MAX_THREAT_NODES));
    while (threat_nodes_ + THREAT_STEP <= share && !limit_.poll()) {
        if (threat_nodes_ == 0 && (threat_map_ = ThreatMap::of(position))) threats_.emplace(position.game());
        threat_nodes_ += THREAT_STEP;
        if (!threats_) return false;
        const int plies = threats_->search(position, *threat_map_, threat_nodes_);
        limit_.count_nodes(threats_->played());
        if (plies == 0) continue;
        threat_nodes_ = MAX_THREAT_NODES;
        auto line = threats_->sequence(position);
        if (line.empty()) line = {threats_->move()};  // the entry was replaced in the table
        add_known_win(plies, line);
        return true;
    }
    return false;
}

// Reports the first move of a sequence that wins within `plies`, or the root move that stands for it, and puts it
// first.
void RootSearch::add_known_win(int plies, const std::vector<Cell>& line) {
    const auto found = std::find_if(moves_.begin(), moves_.end(), [&](const RootMove& move) {
        return move.move == line.front() || move.image_to(line.front()) != nullptr;
    });
    if (found == moves_.end() || found->known) return;
    found->known = found->score = win_in(plies);
    found->proven = true;
    found->pv = line;
    if (const Permutation* image = found->image_to(line.front()))
        for (Cell& cell : found->pv)
            cell = static_cast<Cell>(std::find(image->begin(), image->end(), cell) - image->begin());
    std::rotate(moves_.begin(), found, found + 1);
    publish(report_.depth, 1);
}

// Searches the root moves to one depth. Returns false if a deeper search would find nothing new.
bool RootSearch::deepen(int depth) {
    int finished = 0;
    for (; !is_enough(finished) && !limit_.is_ended(); ++finished) search_variation(depth, finished);
    if (limit_.is_ended()) --finished;
    // A move that seemed worse than the best may turn out better in its own search.
    std::stable_sort(moves_.begin(), moves_.begin() + finished, by_score);
    publish(depth, finished);
    if (limit_.is_ended()) return false;
    if (number_ == 0 && *progress_ && !(*progress_)(report_)) limit_.end();
    const bool to_the_end = depth >= nodes_.position().now().free;
    const bool all_final = std::all_of(moves_.begin(), moves_.begin() + finished,
                                       [&](const auto& move) { return is_final(move.score, depth); });
    const bool all_known = std::all_of(moves_.begin(), moves_.end(), [](const auto& move) { return move.known; });
    return !limit_.is_ended() && !to_the_end && !all_final && !all_known && !is_enough_for_play(depth);
}

// Whether a deeper search cannot change the score, except to find longer resistance. Endings tell who wins, but not how
// soon.
bool RootSearch::is_final(int score, int depth) const {
    if (score == 0) return is_ending_;
    return is_decided(score) && (!nodes_.has_endings() || WIN - std::abs(score) <= depth + 1);
}

// Finds the best of the root moves from `index` on, with an aspiration window around the score of the last depth.
void RootSearch::search_variation(int depth, int index) {
    const int guess = moves_[index].score;
    const int unit = 40 + std::abs(guess) / 16;
    int below = unit, above = unit;
    const bool open = depth < 4 || guess == -INFINITE_SCORE || is_decided(guess);
    for (;;) {
        const int alpha = open || below > 16 * unit ? -INFINITE_SCORE : std::max(-INFINITE_SCORE, guess - below);
        const int beta = open || above > 16 * unit ? INFINITE_SCORE : std::min(INFINITE_SCORE, guess + above);
        const int score = search_moves(alpha, beta, depth, index);
        std::stable_sort(moves_.begin() + index, moves_.end(), by_score);
        if (limit_.is_ended() || (score > alpha && score < beta)) return;
        if (alpha == -INFINITE_SCORE && score <= alpha) return;
        if (beta == INFINITE_SCORE && score >= beta) return;
        (score <= alpha ? below : above) *= 4;
    }
}

// Searches the root moves from `first` on and returns the best score. Moves that do not exceed alpha get no score.
int RootSearch::search_moves(int alpha, int beta, int depth, int first) {
    int best = -INFINITE_SCORE;
    const bool complete = depth >= nodes_.position().now().free;
    for (std::size_t i = first; i < moves_.size(); ++i) {
        RootMove& move = moves_[i];
        const bool is_first = static_cast<int>(i) == first;
        if (move.is_remote && !is_first && !complete && skips_remote_moves()) continue;
        const int reduction = complete ? 0 : nodes_.root_reduction(static_cast<int>(i) - first, depth);
        const int score = search_move(move, alpha, beta, depth, reduction, is_first);
        if (limit_.is_ended()) return best;
        move.is_lost = move.is_lost || is_loss(score);
        if (score > alpha || is_first) {
            move.score = score;
            move.proven =
                move.known || is_decided(score) || ((complete || is_ending_) && score > alpha && score < beta);
            // A score outside the window comes without a variation; the variation of the last depth is better than
            // none.
            if (const auto pv = nodes_.pv(1); !move.known && (!pv.empty() || is_decided(score))) {
                move.pv.assign(1, move.move);
                move.pv.insert(move.pv.end(), pv.begin(), pv.end());
            }
        } else {
            move.score = -INFINITE_SCORE;
        }
        best = std::max(best, score);
        alpha = std::max(alpha, score);
        if (alpha >= beta) break;
    }
    return best;
}

int RootSearch::search_move(const RootMove& move, int alpha, int beta, int depth, int reduction, bool is_first) {
    nodes_.clear_pv(1);
    if (move.known) return *move.known;
    nodes_.play(move.move);
    const int score = nodes_.search_child(alpha, beta, depth, 0, reduction, is_first);
    nodes_.position().undo();
    return score;
}

// --- the report ---------------------------------------------------------------------------------------------------

void RootSearch::publish(int depth, int finished) {
    if (!limit_.is_ended()) report_.depth = depth;
    report_.nodes = 0;
    if (threads_)
        for (const auto& thread : *threads_) report_.nodes += thread->nodes();
    report_.seconds = limit_.seconds();
    report_.hashfull = table_.hashfull();
    std::vector<RootMove> lines(moves_.begin(), moves_.begin() + finished);
    add_unfinished(lines, finished);
    reported_ = std::move(lines);
    // A move that is known to draw says nothing about other moves, one of which may win.
    RootMove& best = reported_.front();
    const bool is_open =
        std::any_of(moves_.begin(), moves_.end(), [](const auto& move) { return !move.known && !move.is_lost; });
    if (best.known && best.score == 0 && is_open && report_.depth < nodes_.position().now().free) best.proven = false;
    report_.lines.clear();
    for (const RootMove& move : reported_) add_images(move);
}

// Reports a move and its symmetric images, up to the number of moves wanted.
void RootSearch::add_images(const RootMove& move) {
    const auto is_full = [&] { return static_cast<int>(report_.lines.size()) >= lines_; };
    if (is_full()) return;
    RootVariation line = move;
    extend_pv(line);
    report_.lines.push_back(line);
    for (const Permutation* image : move.images) {
        if (is_full()) return;
        report_.lines.push_back(mapped(line, *image));
    }
}

// Completes the results of an interrupted depth: with the move that was about to become the best, then with the results
// of the last depth, then with estimates. As long as some moves were not tried, a score is proven for the position only
// if it is a win, and a losing move is the last choice.
void RootSearch::add_unfinished(std::vector<RootMove>& lines, int finished) {
    if (is_enough(finished)) return;
    int found = 0;
    for (const auto& line : lines) found += line.count();
    const auto add = [&](const RootMove& move) {
        const bool is_listed =
            std::any_of(lines.begin(), lines.end(), [&](const auto& line) { return line.move == move.move; });
        if (is_listed || found >= lines_) return;
        found += move.count();
        RootMove& line = lines.emplace_back(move);
        if (move.was_tried()) return;
        line.score = move.known ? *move.known : estimate_of(move.move);
        line.proven = move.known.has_value();
    };
    RootMove current = moves_[finished];
    current.proven = is_win(current.score);
    const bool loses = current.was_tried() && is_loss(current.score);
    if (current.was_tried() && !loses) add(current);
    for (const auto* candidates : {&reported_, &moves_})
        for (const auto& move : *candidates)
            if (!loses || move.move != current.move) add(move);
    current.score = std::max(current.score, 1 - BELIEVED);
    add(current);
    std::stable_sort(lines.begin(), lines.end(), by_score);
}

int RootSearch::estimate_of(Cell move) {
    const ScopedMove played(nodes_.position(), move);
    const int score = nodes_.position().is_over() ? -nodes_.value_of_end(1) : -nodes_.estimate();
    return std::clamp(score, -MOST_ESTIMATED, MOST_ESTIMATED);
}

// Extends a principal variation by exact table entries and, in drawn endings, to the end of the game.
void RootSearch::extend_pv(RootVariation& line) {
    std::vector<Cell>& pv = line.pv;
    Position& position = nodes_.position();
    for (Cell move : pv) position.play(move);
    int played = static_cast<int>(pv.size());
    while (played < MAX_PV && !position.is_over()) {
        const auto entry = table_.probe(position.key());
        if (!entry || entry->bound != Bound::EXACT || entry->move < 0 || !position.is_legal(entry->move)) break;
        pv.push_back(entry->move);
        position.play(entry->move);
        ++played;
    }
    const bool is_draw = report_.depth > 0 && line.proven && line.score == 0;
    while (is_draw && played < MAX_PV && !position.is_over() && nodes_.is_ending()) {
        const Cell move = nodes_.drawing_move();
        if (move == NO_CELL) break;
        pv.push_back(move);
        position.play(move);
        ++played;
    }
    if (played < MAX_PV && !position.is_over())
        if (const Cell cell = winning_move(position); cell != NO_CELL) pv.push_back(cell);
    for (; played > 0; --played) position.undo();
}

}  // namespace noughts
