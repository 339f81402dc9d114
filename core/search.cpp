#include "search.hpp"

#include <thread>
#include <utility>

#include "worker.hpp"

namespace noughts {

Engine::Engine(int threads, std::size_t megabytes) : threads_(threads), table_(megabytes), busy_(std::make_unique<Busy>()), judges_(threads) {}
Engine::~Engine() = default;

void Engine::clear() { table_.clear(); }

Judge& Engine::judge_of(int thread, const Game& game) {
    Judge& judge = judges_[thread];
    if (auto network = network_of(game); judge.network() != network) judge = Judge(std::move(network));
    return judge;
}

Report Engine::search(const Position& position, const Limits& limits, int lines, const Progress& progress,
                      const Interrupt& interrupt) {
    stop_.store(false, std::memory_order_relaxed);
    table_.next_age();
    std::vector<std::unique_ptr<Worker>> workers;
    for (int number = 0; number < threads_; ++number)
        workers.push_back(std::make_unique<Worker>(position, table_, threads_ > 1 ? busy_.get() : nullptr, judge_of(number, position.game()), stop_, limits, number));
    std::vector<std::thread> helpers;
    const Progress silent;
    const Interrupt never;
    for (int number = 1; number < threads_; ++number)
        helpers.emplace_back([&, number] { workers[number]->run(lines, silent, never, nullptr); });
    workers[0]->run(lines, progress, interrupt, &workers);
    stop_.store(true, std::memory_order_relaxed);
    for (auto& helper : helpers) helper.join();
    return best_of(workers);
}

// The first thread's report, unless a helper came to the end of a greater depth, or has a proof where the first has none.
Report Engine::best_of(const std::vector<std::unique_ptr<Worker>>& workers) {
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
    report.per_mille_full = workers[0]->report().per_mille_full;
    return report;
}

}  // namespace noughts
