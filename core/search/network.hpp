// Trained networks that evaluate positions, in integer arithmetic, so that every machine agrees. There is one for games
// with several blocks (block_network.hpp) and one for games with one (line_network.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "rules/position.hpp"

namespace noughts {

// The parameters of a network for one game. Immutable, and shared by threads.
class Network {
  public:
    // The sums of a network for a position. Successive positions differ little, so they are updated where the new one
    // differs from the last. One per thread; it must not outlive the network.
    class Accumulator {
      public:
        virtual ~Accumulator() = default;
        // The estimate for the side to move. The position must be of the network's game, and not over.
        virtual int estimate(const Position& position) = 0;
        // The worth of a legal move, if the network tells it: the logarithm of its probability in units of
        // 1 / WORTH_UNIT, plus a number that is the same for all moves.
        virtual bool has_worth() const { return false; }
        virtual int worth(const Position&, Cell) { return 0; }
    };
    static constexpr int WORTH_UNIT = 128;

    virtual ~Network() = default;
    virtual bool fits(const Game& game) const = 0;  // whether the game is one that the network was read for
    virtual int spread() const = 0;  // a score of n means an expected share of the point of 1 / (1 + exp(-n / spread))
    virtual std::unique_ptr<Accumulator> make_accumulator() const = 0;
};

// Whether a file says that it is a network, of any kind.
bool is_network(std::span<const std::uint8_t> bytes);

// The network that a search uses: nothing for that of the game, where it has one; no bytes for none, that is, the
// weights of the game; or the bytes of a network.
using NetworkChoice = std::optional<std::vector<std::uint8_t>>;

// The chosen network for a game, or null if there is none. Networks are cached, and shared by games with the same one.
// Throws std::invalid_argument when the bytes are not a network for the game.
std::shared_ptr<const Network> network_of(const Game& game, const NetworkChoice& choice = std::nullopt);

// Evaluates positions with a network; one per thread.
class NetworkEvaluator {
  public:
    explicit NetworkEvaluator(std::shared_ptr<const Network> network = nullptr);

    bool has_network() const { return network_ != nullptr; }
    const std::shared_ptr<const Network>& network() const { return network_; }
    // The estimate for the side to move, possibly cached. The position must be of the network's game, and not over.
    int evaluate(const Position& position);
    Network::Accumulator& accumulator() { return *accumulator_; }  // only with a network

  private:
    std::shared_ptr<const Network> network_;
    std::unique_ptr<Network::Accumulator> accumulator_;
    std::vector<std::uint64_t> estimates_;  // cached, by the lower bits of the key: its upper bits, then the estimate
};

}  // namespace noughts
