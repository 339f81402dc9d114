#include "mcts/mcts.hpp"

#include <algorithm>
#include <stdexcept>

#include "mcts/win_probability.hpp"
#include "rules/orbits.hpp"
#include "rules/random_play.hpp"
#include "search/evaluate.hpp"
#include "tactics/threats.hpp"

namespace noughts {
namespace {

constexpr double REPORT_SECONDS = 0.1;  // between two reports
// In simulations; further reports follow whenever the simulations have doubled.
constexpr std::uint64_t FIRST_REPORT = 64;
constexpr int WINNING_WEIGHT = 1 << 30;  // prior of a move that wins at once: it is tried first
constexpr int MAX_PV = 64;               // plies of a reported variation

}  // namespace

// A single search.
class MctsRun {
  public:
    MctsRun(Mcts& mcts, const Position& position, const Limits& limits, int lines, const Progress& progress,
            const Interrupt& interrupt, const Root& root, int scale, const EvaluateLeaves& evaluate);

    Report run();

  private:
    // Reasons for which a simulation ends.
    enum class End { LEAF, CERTAIN_VALUE, COLLISION };

    const Game& game() const { return position_.game(); }
    Node& root() { return tree_.node(ROOT); }
    bool is_done();
    void collect();
    End descend();
    Edge* step(Node& node);
    bool expand(Node& node);
    bool expand_root(WeightedMoves weighted);
    TreeIndex open(Node& node, Edge& edge);
    void settle(Node& node) const;
    void add_leaf();
    bool evaluate();
    void back_up(const std::vector<TreeIndex>& path, int value);
    void report_progress();
    Report report();
    RootVariation variation_of(const Edge& edge);
    void follow(const Node& node, std::vector<Cell>& pv);

    static constexpr TreeIndex ROOT = 0;

    Mcts& mcts_;
    Tree& tree_;
    Position position_;
    int lines_;
    const Progress& progress_;
    const Root& known_;
    int scale_;
    const EvaluateLeaves& evaluate_;
    std::vector<Orbit> orbits_;
    Limits limits_;
    WorkLimit limit_;
    // One for each thread; none if the caller's function evaluates.
    std::vector<std::unique_ptr<LeafEvaluator>> evaluators_;
    bool at_once_;  // whether leaves are evaluated while they are collected
    std::vector<TreeIndex> path_;
    std::vector<Leaf> leaves_;
    std::size_t leaf_count_ = 0;  // leaves in use; the memory of leaves_ is reused from batch to batch
    std::uint64_t plies_ = 0;     // sum over all simulations
    std::uint64_t next_report_ = FIRST_REPORT;
    double reported_ = 0;
};

MctsRun::MctsRun(Mcts& mcts, const Position& position, const Limits& limits, int lines, const Progress& progress,
                 const Interrupt& interrupt, const Root& root, int scale, const EvaluateLeaves& evaluate)
    : mcts_(mcts),
      tree_(mcts.tree_),
      position_(position),
      lines_(lines),
      progress_(progress),
      known_(root),
      scale_(scale),
      evaluate_(evaluate),
      orbits_(move_orbits(position_, root.symmetry)),
      limits_(limits),
      limit_(limits, interrupt, {}, &mcts.stop_) {
    const MctsOptions& options = mcts.options_;
    const bool is_function = options.evaluator == EvaluatorKind::FUNCTION;
    const auto network = options.evaluator == EvaluatorKind::NETWORK ? network_of(game(), options.network) : nullptr;
    for (int thread = 0; !is_function && thread < options.threads; ++thread)
        evaluators_.push_back(make_evaluator(options.evaluator, game(), network, scale));
    at_once_ = evaluators_.size() == 1;
    leaves_.reserve(static_cast<std::size_t>(options.batch));
    if (known_.target > 0 && limits_.seconds > 0) limit_.shorten(known_.target);
    tree_.clear();
    tree_.add_node();
}

Report MctsRun::run() {
    do {
        collect();
        if (!evaluate()) break;
        for (std::size_t i = 0; i < leaf_count_; ++i) {
            Leaf& leaf = leaves_[i];
            Node& node = tree_.node(leaf.path.back());
            if (evaluators_.empty() && !node.is_expanded()) {
                if (leaf.path.size() == 1)
                    expand_root(std::move(leaf.moves));
                else
                    tree_.expand(node, leaf.moves.moves, true);
            }
            back_up(leaf.path, leaf.value);
        }
        report_progress();
    } while (!is_done());
    return report();
}

// Whether to end: the position is decided, a limit is reached, or a player has only one sensible move.
bool MctsRun::is_done() {
    if (root().is_decided() || limit_.poll()) return true;
    if (limits_.depth > 0 && plies_ >= static_cast<std::uint64_t>(limits_.depth) * limit_.nodes()) return true;
    if (!known_.prompt || lines_ > 1 || limits_.seconds <= 0 || !root().is_expanded()) return false;
    int open = root().edge_count - root().opened;
    for (const Edge& edge : tree_.edges(root()).first(root().opened)) open += tree_.node(edge.child).lower < 1;
    return open <= 1;
}

// --- simulations --------------------------------------------------------------------------------------------------

// Collects leaves until the batch is full or a simulation reaches a leaf that is already in the batch.
void MctsRun::collect() {
    leaf_count_ = 0;
    const auto size = static_cast<std::size_t>(mcts_.options_.batch);
    while (leaf_count_ < size) {
        const int ply = position_.ply();
        const End end = descend();
        if (end == End::LEAF) {
            add_leaf();
        } else if (end == End::CERTAIN_VALUE) {
            back_up(path_, tree_.node(path_.back()).lower * CERTAIN);
        } else {
            for (const TreeIndex index : path_) --tree_.node(index).in_flight;
        }
        while (position_.ply() > ply) position_.undo();
        if (end == End::COLLISION) return;
        plies_ += path_.size() - 1;
        limit_.count_node();
        if (root().is_decided() || limit_.poll()) return;
        // The first simulation evaluates the root, without which there are no moves to choose from.
        if (!root().is_expanded() && evaluators_.empty()) return;
    }
}

// Plays from the root to a leaf, or to a position whose value is certain.
MctsRun::End MctsRun::descend() {
    path_.assign(1, ROOT);
    for (;;) {
        Node& node = tree_.node(path_.back());
        ++node.in_flight;
        if (node.is_decided()) return End::CERTAIN_VALUE;
        if (!node.is_expanded()) {
            const bool is_root = path_.size() == 1;
            if (node.visits == 0 && node.in_flight > 1) return End::COLLISION;
            if (evaluators_.empty() || (node.visits == 0 && !is_root)) return End::LEAF;
            if (!expand(node)) return End::LEAF;
            if (node.is_decided()) return End::CERTAIN_VALUE;
        }
        Edge* edge = step(node);
        if (!edge) return End::LEAF;
        const TreeIndex child = open(node, *edge);
        if (child == NOWHERE) return End::LEAF;
        path_.push_back(child);
    }
}

// The edge to follow from a node. If all moves considered so far lose, the remaining moves are added first. Null if the
// memory is full.
Edge* MctsRun::step(Node& node) {
    Edge* edge = tree_.select(node, mcts_.options_.exploration);
    if (edge || node.complete) return edge;
    WeightedMoves all = evaluators_.front()->moves(position_, true);
    if (!tree_.expand(node, all.moves, true)) return nullptr;
    return tree_.select(node, mcts_.options_.exploration);
}

bool MctsRun::expand(Node& node) {
    if (&node == &root()) return expand_root(evaluators_.front()->moves(position_, true));
    if (has_direct_threats(game())) {
        const Threat threat = threat_against(position_);
        if (threat.count == 1) {
            // All other moves lose at once.
            ScoredMove forced{threat.cell, 1};
            return tree_.expand(node, {&forced, 1}, true);
        }
    }
    WeightedMoves weighted = evaluators_.front()->moves(position_, false);
    return tree_.expand(node, weighted.moves, weighted.complete);
}

// Gives the root one edge for each orbit of moves, with the mean weight of the orbit, and sets the values that are
// known.
bool MctsRun::expand_root(WeightedMoves weighted) {
    const Cell winning = winning_move(position_);
    std::vector<ScoredMove> moves;
    for (const Orbit& orbit : orbits_) {
        const auto weight = [&](Cell cell) {
            if (cell == winning) return WINNING_WEIGHT;
            const auto found = std::ranges::find(weighted.moves, cell, &ScoredMove::move);
            return found == weighted.moves.end() ? 0 : found->score;
        };
        std::int64_t sum = weight(orbit.move);
        for (const Permutation* image : orbit.images) sum += weight((*image)[orbit.move]);
        moves.push_back({orbit.move, static_cast<int>(sum / (1 + std::ssize(orbit.images)))});
    }
    if (!tree_.expand(root(), moves, true)) throw std::bad_alloc();
    // Known moves are opened at once, and opened edges must come first.
    const std::span<Edge> edges = tree_.edges(root());
    const auto known_score = [&](Cell move) -> const Root::Known* {
        const auto found = std::ranges::find(known_.known, move, &Root::Known::move);
        return found == known_.known.end() ? nullptr : &*found;
    };
    std::stable_partition(edges.begin(), edges.end(), [&](const Edge& edge) { return known_score(edge.move); });
    for (Edge& edge : edges) {
        const Root::Known* known = known_score(edge.move);
        if (!known) break;
        edge.child = tree_.add_node();
        if (edge.child == NOWHERE) throw std::bad_alloc();
        ++root().opened;
        const int plies = is_decided(known->score) ? WIN - std::abs(known->score) : 0;
        tree_.node(edge.child)
            .decide(is_win(known->score)    ? -1
                    : is_loss(known->score) ? 1
                                            : 0,
                    std::max(plies - 1, 0));
    }
    tree_.update_bounds(root());
    return true;
}

// The child of an edge whose move was just played; creates the node if necessary. NOWHERE if the memory is full.
TreeIndex MctsRun::open(Node& node, Edge& edge) {
    const bool is_new = edge.child == NOWHERE;
    if (is_new) {
        const TreeIndex child = tree_.add_node();
        if (child == NOWHERE) return NOWHERE;
        edge.child = child;
        ++node.opened;
    }
    position_.play(edge.move);
    if (is_new) settle(tree_.node(edge.child));
    return edge.child;
}

// Sets the bounds of a new position if they are certain: the game is over, a line can be completed, two threats cannot
// be stopped, or a side can complete no line any more.
void MctsRun::settle(Node& node) const {
    const Side self = position_.turn();
    if (position_.is_over()) {
        const Side winner = position_.winner();
        return node.decide(winner == NO_SIDE ? 0 : winner == self ? 1 : -1, 0);
    }
    if (winning_move(position_) != NO_CELL) return node.decide(1, 1);
    if (has_direct_threats(game()) && threat_against(position_).count > 1) return node.decide(-1, 2);
    if (game().counts_blocks() || position_.now().free * 3 >= game().cells() * 2) return;
    const Reach reach = reach_of(position_);
    if (!reach.loss) node.lower = 0;
    if (!reach.win) node.upper = 0;
}

void MctsRun::add_leaf() {
    if (leaf_count_ == leaves_.size()) leaves_.push_back({position_, {}, 0, 0, {}});
    Leaf& leaf = leaves_[leaf_count_++];
    leaf.path = path_;
    leaf.number = mix(mcts_.options_.seed) + limit_.nodes() * RANDOM_STEP;
    if (at_once_)
        leaf.value = evaluators_.front()->value(position_, leaf.number);
    else
        leaf.position = position_;
}

// Sets the values of all leaves. Returns false if the caller's function ends the search.
bool MctsRun::evaluate() {
    const std::span<Leaf> leaves(leaves_.data(), leaf_count_);
    if (leaves.empty() || at_once_) return true;
    if (evaluators_.empty()) return evaluate_(leaves);
    const int threads = static_cast<int>(evaluators_.size());
    mcts_.pool_.run(threads, 1, [&](int begin, int end) {
        for (int thread = begin; thread < end; ++thread)
            for (std::size_t i = static_cast<std::size_t>(thread); i < leaves.size(); i += evaluators_.size())
                leaves[i].value =
                    evaluators_[static_cast<std::size_t>(thread)]->value(leaves[i].position, leaves[i].number);
    });
    return true;
}

// Adds a value, which is for the side to move at the end of the path, to all nodes on the path, limited by the proven
// bounds of each node.
void MctsRun::back_up(const std::vector<TreeIndex>& path, int value) {
    bool is_news = tree_.node(path.back()).lower > -1 || tree_.node(path.back()).upper < 1;
    for (auto index = path.rbegin(); index != path.rend(); ++index) {
        Node& node = tree_.node(*index);
        if (index != path.rbegin() && is_news) is_news = tree_.update_bounds(node);
        value = node.bounded(value);
        node.total += value;
        ++node.visits;
        --node.in_flight;
        value = -value;
    }
}

// --- the report ---------------------------------------------------------------------------------------------------

void MctsRun::report_progress() {
    if (!progress_ || !root().is_expanded()) return;
    const double now = limit_.seconds();
    if (limit_.nodes() < next_report_ && now - reported_ < REPORT_SECONDS && !root().is_decided()) return;
    while (next_report_ <= limit_.nodes()) next_report_ *= 2;
    reported_ = now;
    if (!progress_(report())) limit_.end();
}

Report MctsRun::report() {
    Report report;
    report.nodes = limit_.nodes();
    report.seconds = limit_.seconds();
    report.depth = static_cast<int>(plies_ / std::max<std::uint64_t>(report.nodes, 1));
    report.hashfull = tree_.per_mille_used();
    std::vector<const Edge*> order;
    for (const Edge& edge : tree_.edges(root())) order.push_back(&edge);
    std::stable_sort(order.begin(), order.end(), [this](const Edge* a, const Edge* b) {
        return tree_.preference(root(), *a) > tree_.preference(root(), *b);
    });
    const auto is_full = [&] { return static_cast<int>(report.lines.size()) >= lines_; };
    for (const Edge* edge : order) {
        if (is_full()) break;
        const RootVariation line = variation_of(*edge);
        report.lines.push_back(line);
        const auto orbit = std::ranges::find(orbits_, line.move, &Orbit::move);
        for (const Permutation* image : orbit->images)
            if (!is_full()) report.lines.push_back(mapped(line, *image));
    }
    // A move that is certain to draw says nothing about other moves, one of which may win.
    if (!report.lines.empty() && !root().is_decided() && report.lines.front().score == 0)
        report.lines.front().proven = false;
    return report;
}

RootVariation MctsRun::variation_of(const Edge& edge) {
    RootVariation line;
    line.move = edge.move;
    line.pv = {edge.move};
    const int own = root().visits > 0 ? static_cast<int>(root().total / root().visits) : 0;
    if (edge.child == NOWHERE) {
        line.score = score_of_value(own, scale_);
        return line;
    }
    const Node& child = tree_.node(edge.child);
    line.proven = child.is_decided();
    if (!line.proven)
        line.score = score_of_value(-child.mean(-own), scale_);
    else if (child.lower != 0)
        line.score = child.lower < 0 ? win_in(child.plies + 1) : loss_in(child.plies + 1);
    const bool is_known = std::ranges::find(known_.known, edge.move, &Root::Known::move) != known_.known.end();
    position_.play(edge.move);
    if (!is_known) follow(child, line.pv);
    position_.undo();
    return line;
}

// Appends the expected moves from a node on; the position must be that of the node.
void MctsRun::follow(const Node& start, std::vector<Cell>& pv) {
    const Node* node = &start;
    const int ply = position_.ply();
    while (pv.size() < MAX_PV && !position_.is_over()) {
        const Edge* edge = tree_.best(*node);
        const Cell move = edge && edge->child != NOWHERE ? edge->move
                          : node->upper == node->lower   ? winning_move(position_)
                                                         : NO_CELL;
        if (move == NO_CELL) break;
        pv.push_back(move);
        position_.play(move);
        if (!edge || edge->child == NOWHERE) break;
        node = &tree_.node(edge->child);
    }
    while (position_.ply() > ply) position_.undo();
}

// --- the engine ---------------------------------------------------------------------------------------------------

Mcts::Mcts(MctsOptions options) : options_(std::move(options)), tree_(options_.megabytes), pool_(options_.threads) {
    if (options_.network && !options_.network->empty() && !is_network(*options_.network))
        throw std::invalid_argument("expected a network, got something else");
}

Report Mcts::search(const Position& position, const Limits& limits, int lines, const Progress& progress,
                    const Interrupt& interrupt, const Root& root, int scale, const EvaluateLeaves& evaluate) {
    stop_.store(false, std::memory_order_relaxed);
    return MctsRun(*this, position, limits, lines, progress, interrupt, root, scale, evaluate).run();
}

}  // namespace noughts
