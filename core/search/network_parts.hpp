// Parts common to all networks: reading parameters, and integer matrix multiplication.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <stdexcept>
#include <vector>

#include "search/instruction_set.hpp"
#include "support/aligned.hpp"

namespace noughts {

// Reads 32-bit header numbers and 16-bit parameters from a file.
class NetworkReader {
  public:
    explicit NetworkReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    int number() {
        need(4);
        std::uint32_t value = 0;
        for (int i = 3; i >= 0; --i) value = value << 8 | bytes_[i];
        bytes_ = bytes_.subspan(4);
        return static_cast<int>(value);
    }
    std::vector<int> parameters(std::size_t count) {
        need(2 * count);
        std::vector<int> values(count);
        for (std::size_t i = 0; i < count; ++i)
            values[i] = static_cast<std::int16_t>(bytes_[2 * i] | bytes_[2 * i + 1] << 8);
        bytes_ = bytes_.subspan(2 * count);
        return values;
    }
    void expect_end() const {
        if (!bytes_.empty()) throw std::invalid_argument("expected the end of the network, got more");
    }

  private:
    void need(std::size_t count) const {
        if (bytes_.size() < count) throw std::invalid_argument("expected more of the network, got its end");
    }
    std::span<const std::uint8_t> bytes_;
};

// Division by 2^shift, rounded to nearest in the same way on every machine.
constexpr int scaled_down(int value, int shift) { return (value + (1 << (shift - 1))) >> shift; }

// A matrix, stored by pairs of inputs as kernels.hpp describes. Inputs are padded with zeros to pairs, units to chunks.
class Matrix {
  public:
    Matrix() = default;
    Matrix(int inputs, int units)
        : pairs_((inputs + 1) / 2),
          units_((units + CHUNK - 1) / CHUNK * CHUNK),
          weights_(static_cast<std::size_t>(2) * pairs_ * units_) {}

    int inputs() const { return 2 * pairs_; }
    int units() const { return units_; }
    int at(int input, int unit) const { return weights_[place(input, unit)]; }
    void set(int input, int unit, int weight) { weights_[place(input, unit)] = static_cast<std::int16_t>(weight); }
    // Both arrays must be aligned to cache lines and have inputs() and units() elements.
    void multiply(const std::int16_t* inputs, int* sums) const {
        kernels().multiply(sums, inputs, pairs_, weights_.data(), units_);
    }
    // An upper bound of all partial sums of a unit if each input i is between 0 and `most[i]`.
    std::int64_t reach(std::span<const std::int64_t> most) const {
        std::int64_t largest = 0;
        for (int unit = 0; unit < units_; ++unit) {
            std::int64_t sum = 0;
            for (std::size_t i = 0; i < most.size(); ++i) sum += most[i] * std::abs(at(static_cast<int>(i), unit));
            largest = std::max(largest, sum);
        }
        return largest;
    }

  private:
    std::size_t place(int input, int unit) const {
        return (static_cast<std::size_t>(input / 2) * units_ + unit) * 2 + input % 2;
    }

    int pairs_ = 0, units_ = 0;
    AlignedVector<std::int16_t> weights_;
};

// The last two layers of a network: a matrix, and the weights of its units.
struct Head {
    Matrix weights;
    std::vector<int> bias, last_weights;
    int last_bias = 0;

    void read(NetworkReader& reader, int inputs, int units) {
        weights = Matrix(inputs, units);
        for (int unit = 0; unit < units; ++unit) {
            const auto values = reader.parameters(inputs);
            for (int i = 0; i < inputs; ++i) weights.set(i, unit, values[i]);
        }
        bias = reader.parameters(units);
        last_weights = reader.parameters(units);
        last_bias = reader.parameters(1)[0];
    }
    int units() const { return static_cast<int>(bias.size()); }
    // An upper bound of all sums of a unit if every input is at most `most`.
    std::int64_t reach(std::int64_t most) const {
        return weights.reach(std::vector<std::int64_t>(weights.inputs(), most));
    }
};

}  // namespace noughts
