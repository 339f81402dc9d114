// Self-play for the training of networks.
#include "python/binding.hpp"
#include "python/network_choice.hpp"
#include "train/self_play.hpp"

namespace noughts::python {
namespace {

constexpr std::uint64_t MAX_PLAYTHROUGHS = 1 << 24;

nb::bytes header(const Game& game, bool strips) {
    const std::vector<char> bytes = rows_header(game, strips ? LineFeatures::Scope::STRIPS : LineFeatures::Scope::GAME);
    return nb::bytes(bytes.data(), bytes.size());
}

nb::bytes self_play(const std::shared_ptr<const Game>& game, const std::optional<nb::bytes>& network,
                    std::uint64_t first, std::uint64_t count, std::uint64_t seed, std::uint64_t nodes, int threads,
                    const nb::object& progress) {
    require_range<std::uint64_t>("playthroughs", count, 1, MAX_PLAYTHROUGHS);
    require_range<std::uint64_t>("nodes", nodes, 1, std::uint64_t{1} << 62);
    require_range("threads", threads, 1, MAX_THREADS);
    const SelfPlay plan{first, count, seed, nodes, threads, network_choice(network)};
    std::atomic<std::uint64_t> done{0};
    Call call;
    const auto report = call.report_to<std::uint64_t>(progress);
    std::uint64_t reported = 0;
    const auto interrupt = [&, ask = call.interrupt()] {
        if (ask()) return true;
        if (!report || reported == done) return false;
        reported = done;
        return !report(reported);
    };
    const std::vector<char> rows = call.run([&] {
        std::vector<char> taken;
        const auto take = [&](std::span<const char> bytes) {
            taken.insert(taken.end(), bytes.begin(), bytes.end());
            ++done;
        };
        if (self_play(game, plan, take, interrupt) < count) throw Interrupted{};
        return taken;
    });
    return nb::bytes(rows.data(), rows.size());
}

}  // namespace

void bind_train(nb::module_& m) {
    m.def("rows_header", &header, "game"_a, "strips"_a = false,
          "Return the header of a file of rows of self-play; with `strips` for a network for every board with such "
          "strips, else for the game alone.");
    m.def("self_play", &self_play, "game"_a, "network"_a.none(), "first"_a, "count"_a, "seed"_a, "nodes"_a, "threads"_a,
          "progress"_a.none() = nb::none(),
          "Return the rows of `count` playthroughs, by number. `network` is None for that of the game, empty for none. "
          "`progress` is called with the number of playthroughs done, and may raise to end the work.");
}

}  // namespace noughts::python
