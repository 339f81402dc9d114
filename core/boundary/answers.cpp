#include "boundary/answers.hpp"

#include "search/evaluate.hpp"
#include "search/fixed_depth.hpp"
#include "search/network.hpp"
#include "tactics/fork_threat_search.hpp"
#include "tactics/threat_search.hpp"

namespace noughts::boundary {
namespace {

constexpr int MAX_FORCED_WIN_NODES = 10'000'000;

}  // namespace

Cell take_back(Position& position) {
    require(position.ply() > 0, "there is no move to take back");
    const Cell cell = position.now().cell;
    position.undo();
    return cell;
}

std::vector<int> completing(const Position& position, Side side, bool playable) {
    std::vector<int> found;
    const auto add = [&found](int cell) { found.push_back(cell); };
    const auto cells = position.completing_cells(side);
    if (playable)
        (cells & position.playable_cells()).for_each(add);
    else
        cells.for_each(add);
    return found;
}

std::vector<int> open_blocks(const Position& position) {
    std::vector<int> found;
    const Game& game = position.game();
    for (Block block = 0; block < game.blocks(); ++block)
        if (position.free_in(block) > 0 && (game.keeps_won_blocks_open() || !position.is_decided(block)))
            found.push_back(block);
    return found;
}

std::optional<Block> block_to_play(const Position& position) {
    if (position.block_to_play() == NO_BLOCK || position.is_over()) return std::nullopt;
    return position.block_to_play();
}

bool same(const Position& a, const Position& b) {
    if (a.game().cells() != b.game().cells() || a.game().blocks() != b.game().blocks()) return false;
    if (a.hash() != b.hash() || a.turn() != b.turn() || a.block_to_play() != b.block_to_play()) return false;
    for (Side side : BOTH_SIDES)
        if (a.marks(side) != b.marks(side)) return false;
    for (int block = 0; block < a.game().blocks(); ++block)
        if (a.owner(block) != b.owner(block)) return false;
    return true;
}

std::uint64_t count_playthroughs(Position position, int depth, const Interrupt& interrupt) {
    require(depth >= 0, "expected a depth from 0, got " + std::to_string(depth));
    return perft(position, depth, interrupt);
}

BestMoves fixed_depth_best_moves(const Position& position, int depth, const Symmetry* symmetry, std::uint64_t nodes,
                                 const Interrupt& interrupt) {
    require_running(position);
    require_range("depth", depth, 1, FixedDepthSearch::MAX_DEPTH);
    if (symmetry) require_symmetry_of(position, *symmetry);
    WorkLimit limit({}, interrupt);
    auto found = FixedDepthSearch(position, limit).best_moves(depth, symmetry, nodes);
    if (limit.is_spent()) throw Interrupted{};
    return {found.score, std::move(found.moves), limit.nodes()};
}

std::vector<int> forced_win(Position position, int nodes) {
    require(has_direct_threats(position.game()), "expected a game of one block in which a line wins");
    require_range("nodes", nodes, 0, MAX_FORCED_WIN_NODES);
    ThreatSearch search(position.game());
    return search.search(position, nodes) > 0 ? search.sequence() : std::vector<int>{};
}

ForkThreatWin fork_threat_win(Position position, int nodes) {
    require_running(position);
    require(ThreatMap::supports(position.game()), "expected a game whose lines overlap, of one block, won by a line");
    require_range("nodes", nodes, 0, MAX_FORCED_WIN_NODES);
    auto map = ThreatMap::of(position);
    ForkThreatSearch search(position.game());
    const int plies = search.search(position, *map, nodes);
    return {plies, plies > 0 ? search.sequence(position) : std::vector<int>{}};
}

int estimate(const Position& position, const NetworkChoice& network) {
    require_running(position);
    const auto chosen = network_of(position.game(), network);
    return chosen ? chosen->make_accumulator()->estimate(position) : evaluate(position);
}

int network_spread(const Game& game, const NetworkChoice& network) {
    const auto chosen = network_of(game, network);
    return chosen ? chosen->spread() : 0;
}

}  // namespace noughts::boundary
