// Trained networks that evaluate positions, in integer arithmetic, so that all machines agree: block_network.hpp for
// games with several blocks, line_network.hpp for games with one.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "rules/position.hpp"

namespace noughts {

// The parameters of a network for one game. Immutable, and shared between threads.
class Network {
  public:
    // The intermediate sums of a network for a position, updated from one position to the next where the two differ.
    // Each thread has its own; it must not outlive the network.
    class Accumulator {
      public:
        virtual ~Accumulator() = default;
        // The estimate for the side to move. The position must be of the network's game, and not over.
        virtual int estimate(const Position& position) = 0;
        // The worth of a legal move, if the network provides it: the logarithm of its probability in units of 1 /
        // WORTH_UNIT, plus a constant that is the same for all moves of the position.
        virtual bool has_worth() const { return false; }
        virtual int worth(const Position&, Cell) { return 0; }
    };
    static constexpr int WORTH_UNIT = 128;

    virtual ~Network() = default;
    virtual bool fits(const Game& game) const = 0;  // whether the network was read for this game
    // A score of n corresponds to an expected result of 1 / (1 + exp(-n / spread)) points.
    virtual int spread() const = 0;
    virtual std::unique_ptr<Accumulator> make_accumulator() const = 0;
};

// Whether the bytes are a network of any kind.
bool is_network(std::span<const std::uint8_t> bytes);

// The network that a search uses: std::nullopt for the network of the game, if it has one; empty bytes for none, so
// that the weights of the game are used; otherwise the bytes of a network.
using NetworkChoice = std::optional<std::vector<std::uint8_t>>;

// The chosen network for a game; null if there is none. Networks are cached and shared between games. Throws
// std::invalid_argument if the bytes are not a network for the game.
std::shared_ptr<const Network> network_of(const Game& game, const NetworkChoice& choice = std::nullopt);

// Evaluates positions with a network; one per thread.
class NetworkEvaluator {
  public:
    explicit NetworkEvaluator(std::shared_ptr<const Network> network = nullptr);

    bool has_network() const { return network_ != nullptr; }
    const std::shared_ptr<const Network>& network() const { return network_; }
    // The estimate for the side to move, possibly cached. The position must be of the network's game and not over.
    int evaluate(const Position& position);
    Network::Accumulator& accumulator() { return *accumulator_; }  // only with a network

  private:
    std::shared_ptr<const Network> network_;
    std::unique_ptr<Network::Accumulator> accumulator_;
    // Cache indexed by the lower bits of the key; an entry holds the upper bits and the estimate.
    std::vector<std::uint64_t> estimates_;
};

}  // namespace noughts
