// The tables of a solver, or a batch of playthroughs, as bytes: numbers of a fixed width, the lowest byte first on
// every machine.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace noughts {

// A snapshot that ends early, is of another game or has invalid contents; the message says which.
class InvalidSnapshot : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// The contents of a snapshot: the table of a solver, or a batch of playthroughs.
enum class SnapshotKind : std::uint8_t { PROOF_NUMBERS = 1, VALUES = 2, BATCH = 3, NARROW_WINS = 4 };

class SnapshotWriter {
  public:
    // Takes the bytes in large pieces; an exception from it ends the save.
    using Sink = std::function<void(std::span<const char> bytes)>;

    explicit SnapshotWriter(Sink sink) : sink_(std::move(sink)) {}

    template <typename Value>
    void write(Value value) {
        for (std::size_t i = 0; i < sizeof value; ++i)
            buffer_.push_back(static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * i) & 0xff));
        if (buffer_.size() >= PIECE) flush();
    }
    // `game` identifies the game, see Game::fingerprint.
    void write_header(SnapshotKind kind, std::uint64_t game);
    // Must be called once, at the end.
    void flush();

  private:
    static constexpr std::size_t PIECE = 1 << 20;

    Sink sink_;
    std::vector<char> buffer_;
};

class SnapshotReader {
  public:
    // Fills `room` as far as it can and returns the number of bytes; 0 at the end.
    using Source = std::function<std::size_t(std::span<char> room)>;

    // `what` is the word for the contents in messages.
    explicit SnapshotReader(Source source, std::string what = "solve")
        : source_(std::move(source)), what_("saved " + std::move(what)), buffer_(PIECE) {}

    // Throws InvalidSnapshot when the bytes end before the value does.
    template <typename Value>
    Value read() {
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < sizeof(Value); ++i) value |= static_cast<std::uint64_t>(next()) << (8 * i);
        return static_cast<Value>(value);
    }
    void expect_header(SnapshotKind kind, std::uint64_t game);
    void expect_end();

  private:
    static constexpr std::size_t PIECE = 1 << 20;

    unsigned char next() {
        if (at_ == size_) refill();
        return static_cast<unsigned char>(buffer_[at_++]);
    }
    bool is_at_end();
    void refill();

    Source source_;
    std::string what_;
    std::vector<char> buffer_;
    std::size_t at_ = 0, size_ = 0;
};

// Throws InvalidSnapshot.
inline void expect_in_snapshot(bool holds, const char* what) {
    if (!holds) throw InvalidSnapshot(std::string("expected ") + what + ", got something else");
}

}  // namespace noughts
