#include "search/engine.hpp"

#include <exception>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

#include "search/root_search.hpp"
#include "support/process.hpp"
#include "support/thread.hpp"

namespace noughts {
namespace {

// The threads of all searches but the first: started on construction, stopped and joined on destruction at the latest.
class Helpers {
  public:
    // Throws std::system_error when a thread cannot be started; those that were are stopped first.
    Helpers(std::vector<std::unique_ptr<RootSearch>>& searches, int lines, const Root& root, std::atomic<bool>& stop)
        : searches_(searches), root_(root), stop_(stop), failures_(searches.size()) {
        threads_.reserve(searches.size());
        try {
            for (std::size_t number = 1; number < searches.size(); ++number)
                threads_.emplace_back([this, number, lines] { run(number, lines); });
        } catch (const std::system_error& error) {
            stop_threads();
            throw std::system_error(error.code(), "cannot start " + std::to_string(searches.size()) + " threads");
        }
    }
    ~Helpers() { stop_threads(); }
    Helpers(const Helpers&) = delete;
    Helpers& operator=(const Helpers&) = delete;

    // Stops all threads, and rethrows an exception that one of them threw.
    void finish() {
        stop_threads();
        for (const auto& failure : failures_)
            if (failure) std::rethrow_exception(failure);
    }

  private:
    void run(std::size_t number, int lines) {
        const Progress silent;
        try {
            searches_[number]->run(lines, root_, silent, nullptr);
        } catch (...) {
            failures_[number] = std::current_exception();
            stop_.store(true, std::memory_order_relaxed);
        }
    }

    void stop_threads() {
        stop_.store(true, std::memory_order_relaxed);
        if (forks() != forks_) return abandon();
        for (auto& thread : threads_) thread.join();
        threads_.clear();
    }

    // In the child of a fork only the first search's thread exists. The memory of the others is in an unknown state and
    // must not be used again, not even to free it.
    void abandon() {
        for (auto& thread : threads_) thread.detach();
        threads_.clear();
        for (std::size_t number = 1; number < searches_.size(); ++number)
            static_cast<void>(searches_[number].release());
        searches_.resize(1);
        failures_.resize(1);
    }

    std::vector<std::unique_ptr<RootSearch>>& searches_;
    const Root& root_;
    std::atomic<bool>& stop_;
    std::vector<std::exception_ptr> failures_;  // by number of the search
    std::vector<Thread> threads_;
    int forks_ = forks();
};

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

void Engine::clear() { table_.clear(); }

NetworkEvaluator& Engine::evaluator_for(int thread, const Game& game) {
    NetworkEvaluator& evaluator = evaluators_[thread];
    if (auto network = network_of(game, network_); evaluator.network() != network)
        evaluator = NetworkEvaluator(std::move(network));
    return evaluator;
}

Report Engine::search(const Position& position, const Limits& limits, int lines, const Progress& progress,
                      const Interrupt& interrupt, const Root& root) {
    stop_.store(false, std::memory_order_relaxed);
    table_.next_age();
    std::vector<std::unique_ptr<RootSearch>> searches;
    const SharedState shared{table_, threads_ > 1 ? in_progress_.get() : nullptr};
    for (int number = 0; number < threads_; ++number)
        searches.push_back(std::make_unique<RootSearch>(position, shared, evaluator_for(number, position.game()),
                                                        limits, stop_, number == 0 ? interrupt : Interrupt{}, number));
    Helpers helpers(searches, lines, root, stop_);
    searches[0]->run(lines, root, progress, &searches);
    helpers.finish();
    return best_of(searches);
}

// The first thread's report, unless a helper has a proof where the first has none, or finished a greater depth.
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
