#include "search/engine.hpp"

#include <exception>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "search/worker.hpp"
#include "support/process.hpp"

namespace noughts {
namespace {

// The threads of all workers but the first: started on construction, stopped and joined on destruction at the latest.
class Helpers {
  public:
    // Throws std::system_error when a thread cannot be started; those that were are stopped first.
    Helpers(std::vector<std::unique_ptr<Worker>>& workers, int lines, const Root& root, std::atomic<bool>& stop)
        : workers_(workers), root_(root), stop_(stop), failures_(workers.size()) {
        threads_.reserve(workers.size());
        try {
            for (std::size_t number = 1; number < workers.size(); ++number)
                threads_.emplace_back([this, number, lines] { run(number, lines); });
        } catch (const std::system_error& error) {
            stop_threads();
            throw std::system_error(error.code(), "cannot start " + std::to_string(workers.size()) + " threads");
        }
    }
    ~Helpers() { stop_threads(); }
    Helpers(const Helpers&) = delete;
    Helpers& operator=(const Helpers&) = delete;

    // Stops all threads, and throws what one of them failed with.
    void finish() {
        stop_threads();
        for (const auto& failure : failures_)
            if (failure) std::rethrow_exception(failure);
    }

  private:
    void run(std::size_t number, int lines) {
        const Progress silent;
        try {
            workers_[number]->run(lines, root_, silent, nullptr);
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

    // In the child of a fork there is only the first worker's thread; the others' memory is as the fork found it, and
    // must not be looked at again, not even to free it.
    void abandon() {
        for (auto& thread : threads_) thread.detach();
        threads_.clear();
        for (std::size_t number = 1; number < workers_.size(); ++number) static_cast<void>(workers_[number].release());
        workers_.resize(1);
        failures_.resize(1);
    }

    std::vector<std::unique_ptr<Worker>>& workers_;
    const Root& root_;
    std::atomic<bool>& stop_;
    std::vector<std::exception_ptr> failures_;  // by worker
    std::vector<std::thread> threads_;
    int forks_ = forks();
};

}  // namespace

Engine::Engine(int threads, std::size_t megabytes)
    : threads_(threads), table_(megabytes), busy_(std::make_unique<Busy>()), judges_(threads) {}
Engine::~Engine() = default;

void Engine::clear() { table_.clear(); }

Judge& Engine::judge_of(int thread, const Game& game) {
    Judge& judge = judges_[thread];
    if (auto network = network_of(game); judge.network() != network) judge = Judge(std::move(network));
    return judge;
}

Report Engine::search(const Position& position, const Limits& limits, int lines, const Progress& progress,
                      const Interrupt& interrupt, const Root& root) {
    stop_.store(false, std::memory_order_relaxed);
    table_.next_age();
    std::vector<std::unique_ptr<Worker>> workers;
    for (int number = 0; number < threads_; ++number)
        workers.push_back(std::make_unique<Worker>(position, table_, threads_ > 1 ? busy_.get() : nullptr,
                                                   judge_of(number, position.game()), stop_, limits,
                                                   number == 0 ? interrupt : Interrupt{}, number));
    Helpers helpers(workers, lines, root, stop_);
    workers[0]->run(lines, root, progress, &workers);
    helpers.finish();
    return best_of(workers);
}

// The first thread's report, unless a helper came to the end of a greater depth, or has a proof where the first has
// none.
Report Engine::best_of(std::span<const std::unique_ptr<Worker>> workers) {
    const auto rank = [](const Report& report) { return std::pair(report.lines.front().proven, report.depth); };
    const Report* best = &workers[0]->report();
    std::uint64_t nodes = 0;
    for (const auto& worker : workers) {
        nodes += worker->nodes();
        if (rank(worker->report()) > rank(*best)) best = &worker->report();
    }
    Report report = *best;
    report.nodes = nodes;
    report.seconds = workers[0]->report().seconds;
    report.hashfull = workers[0]->report().hashfull;
    return report;
}

}  // namespace noughts
