#include "search/network.hpp"

#include <deque>
#include <mutex>

#include "search/block_network.hpp"
#include "search/evaluate.hpp"
#include "search/line_network.hpp"
#include "support/process.hpp"
#include "support/thread.hpp"

namespace noughts {
namespace {

constexpr std::size_t CACHED_ESTIMATES = std::size_t{1} << 14;
constexpr int ESTIMATE_BITS = 24;
constexpr std::uint64_t ESTIMATE_MASK = (std::uint64_t{1} << ESTIMATE_BITS) - 1;

// Cache of the most recently used networks. It is never destroyed, since a thread may still be searching when the
// process ends. It is locked during a fork, so that the child finds it in a consistent state.
struct NetworkCache {
    static constexpr std::size_t CAPACITY = 16;

    Mutex mutex;
    std::deque<std::pair<std::vector<std::uint8_t>, std::shared_ptr<const Network>>> networks;

    static NetworkCache& instance() {
        static NetworkCache& cache = make();
        return cache;
    }

  private:
    static NetworkCache& make() {
        lock_during_forks([] { instance().mutex.lock(); }, [] { instance().mutex.unlock(); });
        return *new NetworkCache;
    }
};

std::shared_ptr<const Network> read_network(std::span<const std::uint8_t> bytes, const Game& game) {
    if (LineNetwork::is_one(bytes)) return std::make_shared<const LineNetwork>(bytes, game);
    return std::make_shared<const BlockNetwork>(bytes, game);
}

}  // namespace

bool is_network(std::span<const std::uint8_t> bytes) {
    return LineNetwork::is_one(bytes) || BlockNetwork::is_one(bytes);
}

std::shared_ptr<const Network> network_of(const Game& game, const NetworkChoice& choice) {
    const std::vector<std::uint8_t>& bytes = choice ? *choice : game.data().network;
    if (bytes.empty()) return nullptr;
    NetworkCache& cache = NetworkCache::instance();
    const std::lock_guard lock(cache.mutex);
    auto& networks = cache.networks;
    for (const auto& [known, network] : networks)
        if (known == bytes && network->fits(game)) return network;
    auto network = read_network(bytes, game);
    if (network->spread() < 1) throw std::invalid_argument("expected a network with a positive spread");
    if (networks.size() == NetworkCache::CAPACITY) networks.pop_front();
    networks.emplace_back(bytes, network);
    return network;
}

NetworkEvaluator::NetworkEvaluator(std::shared_ptr<const Network> network)
    : network_(std::move(network)),
      accumulator_(network_ ? network_->make_accumulator() : nullptr),
      estimates_(network_ ? CACHED_ESTIMATES : 0) {}

// Estimates are cached, because a search evaluates a third of its positions more than once.
int NetworkEvaluator::evaluate(const Position& position) {
    constexpr int OFFSET = 1 << (ESTIMATE_BITS - 1);
    static_assert(OFFSET > MOST_ESTIMATED && CACHED_ESTIMATES <= ESTIMATE_MASK + 1);
    const std::uint64_t key = position.key();
    std::uint64_t& cached = estimates_[key & (CACHED_ESTIMATES - 1)];
    if ((cached ^ key) >> ESTIMATE_BITS == 0 && cached != 0) return static_cast<int>(cached & ESTIMATE_MASK) - OFFSET;
    const int found = accumulator_->estimate(position);
    cached = (key & ~ESTIMATE_MASK) | static_cast<std::uint64_t>(found + OFFSET);
    return found;
}

}  // namespace noughts
