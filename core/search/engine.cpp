#include "search/engine.hpp"

#include <stdexcept>
#include <utility>

#include "search/root_search.hpp"
#include "support/helper_threads.hpp"

namespace noughts {
namespace {

constexpr std::size_t ENDINGS_BYTES = 1 << 20;  // for each thread
constexpr unsigned ENDINGS_PER_NODE = 8;        // nodes of BlockEndings that take as long as one node of the search

void abandon_helpers(std::vector<std::unique_ptr<RootSearch>>& searches) {
    for (std::size_t number = 1; number < searches.size(); ++number) static_cast<void>(searches[number].release());
    searches.resize(1);
}

}  // namespace

Engine::Engine(int threads, std::size_t megabytes, NetworkChoice network)
    : threads_(threads),
      network_(std::move(network)),
      table_(megabytes),
      in_progress_(std::make_unique<MovesInProgress>()),
      evaluators_(threads) {
    if (network_ && !network_->empty() && !is_network(*network_))
        throw std::invalid_argument("expected a network, got something else");
}
Engine::~Engine() = default;

void Engine::clear() {
    table_.clear();
    endings_game_.reset();
}

NetworkEvaluator& Engine::evaluator_for(int thread, const Game& game) {
    NetworkEvaluator& evaluator = evaluators_[thread];
    if (auto network = network_of(game, network_); evaluator.network() != network)
        evaluator = NetworkEvaluator(std::move(network));
    return evaluator;
}

void Engine::prepare_endings(const std::shared_ptr<const Game>& game) {
    if (endings_game_ == game) return;
    endings_.clear();
    endings_.resize(threads_);
    endings_game_ = game;
    if (!BlockEndings::fits(*game)) return;
    for (auto& endings : endings_) endings = std::make_unique<BlockEndings>(*game, ENDINGS_BYTES, ENDINGS_PER_NODE);
}

Report Engine::search(const Position& position, const Limits& limits, int lines, const Progress& progress,
                      const Interrupt& interrupt, const Root& root) {
    stop_.store(false, std::memory_order_relaxed);
    table_.next_age();
    prepare_endings(position.shared_game());
    std::vector<std::unique_ptr<RootSearch>> searches;
    const SharedState shared{table_, threads_ > 1 ? in_progress_.get() : nullptr};
    for (int number = 0; number < threads_; ++number)
        searches.push_back(std::make_unique<RootSearch>(position, shared, evaluator_for(number, position.game()),
                                                        endings_[number].get(), limits, stop_,
                                                        number == 0 ? interrupt : Interrupt{}, number));
    HelperThreads helpers(
        threads_ - 1, {[&](int number) { searches[number]->run(lines, root, {}, nullptr); },
                       [this] { stop_.store(true, std::memory_order_relaxed); }, [&] { abandon_helpers(searches); }});
    searches[0]->run(lines, root, progress, &searches);
    helpers.finish();
    return best_of(searches);
}

// The report of the first thread, unless a helper has a proof that the first lacks, or finished a greater depth.
Report Engine::best_of(std::span<const std::unique_ptr<RootSearch>> searches) {
    const auto rank = [](const Report& report) { return std::pair(report.lines.front().proven, report.depth); };
    const Report* best = &searches[0]->report();
    std::uint64_t nodes = 0;
    for (const auto& search : searches) {
        nodes += search->nodes();
        if (rank(search->report()) > rank(*best)) best = &search->report();
    }
    Report report = *best;
    report.nodes = nodes;
    report.seconds = searches[0]->report().seconds;
    report.hashfull = searches[0]->report().hashfull;
    return report;
}

}  // namespace noughts
