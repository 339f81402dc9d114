// Unpacks gzip files (RFC 1951 and 1952) into memory, with a limit on the size of the text.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rejection.hpp"

namespace checker {

inline bool is_gzip(std::string_view data) { return data.starts_with("\x1f\x8b"); }

// A canonical Huffman code, decoded by a table indexed with the next `bits` bits of the input.
class HuffmanCode {
  public:
    static constexpr int MAX_LENGTH = 15;

    // Lengths of 0 mean unused symbols. Only a code of at most one symbol may be incomplete.
    explicit HuffmanCode(std::span<const std::uint8_t> lengths) {
        std::array<int, MAX_LENGTH + 1> count{}, next{};
        for (const int length : lengths) ++count[length];
        count[0] = 0;
        while (bits < MAX_LENGTH && std::any_of(count.begin() + bits + 1, count.end(), [](int n) { return n > 0; }))
            ++bits;
        int unused = 1;
        for (int length = 1; length <= MAX_LENGTH; ++length) {
            unused = 2 * unused - count[length];
            if (unused < 0) throw Rejection("expected a whole compressed file, got a code with too many symbols");
            next[length] = 2 * (next[length - 1] + count[length - 1]);
        }
        if (unused > 0 && bits > 1) throw Rejection("expected a whole compressed file, got an incomplete code");
        table.assign(std::size_t{1} << bits, 0);
        for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol)
            if (lengths[symbol] > 0) fill(static_cast<int>(symbol), lengths[symbol], next[lengths[symbol]]++);
    }

    int bits = 0;
    std::vector<std::uint16_t> table;  // symbol * 16 + length, or 0

  private:
    void fill(int symbol, int length, int code) {
        std::size_t reversed = 0;
        for (int bit = 0; bit < length; ++bit)
            reversed |= static_cast<std::size_t>(code >> bit & 1) << (length - 1 - bit);
        for (; reversed < table.size(); reversed += std::size_t{1} << length)
            table[reversed] = static_cast<std::uint16_t>(symbol * 16 + length);
    }
};

class Gunzip {
  public:
    Gunzip(std::string_view data, std::size_t most) : data_(data), most_(most) {}

    std::string text() {
        do {
            member();
            while (at_ < data_.size() && data_[at_] == '\0') ++at_;
        } while (at_ < data_.size());
        return std::move(out_);
    }

  private:
    static constexpr int FHCRC = 2, FEXTRA = 4, FNAME = 8, FCOMMENT = 16, END_OF_BLOCK = 256;

    [[noreturn]] static void broken(const char* what) {
        throw Rejection(std::string("expected a whole compressed file, got ") + what);
    }

    void member() {
        header();
        member_start_ = out_.size();
        buffer_ = 0;
        buffered_ = 0;
        bool is_last = false;
        while (!is_last) {
            is_last = take(1) == 1;
            block(take(2));
        }
        at_ -= static_cast<std::size_t>(buffered_ / 8);
        const std::uint32_t crc = word(), size = word();
        if (crc != crc_of(std::string_view(out_).substr(member_start_))) broken("one with a wrong checksum");
        if (size != static_cast<std::uint32_t>(out_.size() - member_start_)) broken("one with a wrong length");
    }

    void header() {
        if (!is_gzip(data_.substr(at_))) broken("other bytes after its end");
        at_ += 2;
        if (byte() != 8) broken("an unknown method of compression");
        const int flags = byte();
        for (int i = 0; i < 6; ++i) byte();
        if (flags & FEXTRA) {
            const int low = byte(), length = low | byte() << 8;
            for (int i = 0; i < length; ++i) byte();
        }
        for (const int flag : {FNAME, FCOMMENT})
            if (flags & flag)
                while (byte() != 0) {
                }
        if (flags & FHCRC) {
            byte();
            byte();
        }
    }

    void block(std::uint32_t kind) {
        if (kind == 0) {
            stored();
        } else if (kind == 1) {
            std::array<std::uint8_t, 288> lengths{};
            std::fill_n(lengths.begin(), 144, 8);
            std::fill_n(lengths.begin() + 144, 112, 9);
            std::fill_n(lengths.begin() + 256, 24, 7);
            std::fill_n(lengths.begin() + 280, 8, 8);
            std::array<std::uint8_t, 32> distances{};
            distances.fill(5);
            compressed(HuffmanCode(lengths), HuffmanCode(distances));
        } else if (kind == 2) {
            dynamic();
        } else {
            broken("an unknown kind of block");
        }
    }

    void stored() {
        at_ -= static_cast<std::size_t>(buffered_ / 8);
        buffer_ = 0;
        buffered_ = 0;
        const std::uint32_t both = word(), length = both & 0xffff;
        if (length != (~both >> 16 & 0xffff)) broken("a stored block with two lengths");
        if (data_.size() - at_ < length) broken("a part of one");
        expect_room(length);
        out_.append(data_.substr(at_, length));
        at_ += length;
    }

    void dynamic() {
        constexpr std::array<int, 19> ORDER{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
        const std::size_t literals = take(5) + 257, distances = take(5) + 1, codes = take(4) + 4;
        if (literals > 286 || distances > 30) broken("too many codes");
        std::array<std::uint8_t, 19> code_lengths{};
        for (std::size_t i = 0; i < codes; ++i) code_lengths[ORDER[i]] = static_cast<std::uint8_t>(take(3));
        const HuffmanCode code(code_lengths);
        if (code.bits < 2 && std::ranges::count(code_lengths, 1) < 2) broken("an incomplete code");
        std::array<std::uint8_t, 286 + 30> lengths{};
        for (std::size_t i = 0; i < literals + distances;) {
            const int symbol = decode(code);
            if (symbol < 16) {
                lengths[i++] = static_cast<std::uint8_t>(symbol);
                continue;
            }
            if (symbol == 16 && i == 0) broken("a repeated length without a first");
            const std::uint8_t repeated = symbol == 16 ? lengths[i - 1] : 0;
            const std::size_t times = symbol == 16 ? 3 + take(2) : symbol == 17 ? 3 + take(3) : 11 + take(7);
            if (times > literals + distances - i) broken("too many lengths");
            std::fill_n(lengths.begin() + i, times, repeated);
            i += times;
        }
        if (lengths[END_OF_BLOCK] == 0) broken("a block without an end");
        const std::span<const std::uint8_t> all(lengths);
        compressed(HuffmanCode(all.first(literals)), HuffmanCode(all.subspan(literals, distances)));
    }

    void compressed(const HuffmanCode& literals, const HuffmanCode& distances) {
        constexpr std::array<int, 29> LENGTHS{3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                              31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
        for (int symbol; (symbol = decode(literals)) != END_OF_BLOCK;) {
            if (symbol < END_OF_BLOCK) {
                expect_room(1);
                out_.push_back(static_cast<char>(symbol));
                continue;
            }
            const int index = symbol - 257;
            if (index >= 29) broken("an invalid length");
            const std::size_t length = LENGTHS[index] + (index < 8 || index == 28 ? 0 : take(index / 4 - 1));
            const int code = decode(distances);
            if (code >= 30) broken("an invalid distance");
            const std::size_t distance =
                code < 4 ? code + 1 : ((2 + (code & 1)) << (code / 2 - 1)) + 1 + std::size_t{take(code / 2 - 1)};
            if (distance > out_.size() - member_start_) broken("a distance beyond its start");
            expect_room(length);
            for (std::size_t left = length; left > 0;) {
                const std::size_t piece = std::min(left, distance);
                out_.append(out_, out_.size() - distance, piece);
                left -= piece;
            }
        }
    }

    void expect_room(std::size_t bytes) const {
        if (bytes > most_ - out_.size())
            throw Rejection("expected at most " + std::to_string(most_) + " bytes of text, got more");
    }

    int decode(const HuffmanCode& code) {
        fill();
        const std::uint16_t entry = code.table[buffer_ & ((std::uint64_t{1} << code.bits) - 1)];
        const int length = entry & 15;
        if (length == 0) broken("an invalid code");
        drop(length);
        return entry >> 4;
    }

    std::uint32_t take(int bits) {
        fill();
        const std::uint32_t value = static_cast<std::uint32_t>(buffer_ & ((std::uint64_t{1} << bits) - 1));
        drop(bits);
        return value;
    }

    void fill() {
        for (; buffered_ <= 56 && at_ < data_.size(); buffered_ += 8)
            buffer_ |= std::uint64_t{static_cast<unsigned char>(data_[at_++])} << buffered_;
    }

    void drop(int bits) {
        if (bits > buffered_) broken("a part of one");
        buffer_ >>= bits;
        buffered_ -= bits;
    }

    int byte() {
        if (at_ >= data_.size()) broken("a part of one");
        return static_cast<unsigned char>(data_[at_++]);
    }

    std::uint32_t word() {
        std::uint32_t value = 0;
        for (int shift = 0; shift < 32; shift += 8) value |= static_cast<std::uint32_t>(byte()) << shift;
        return value;
    }

    static std::uint32_t crc_of(std::string_view text) {
        static const auto TABLE = [] {
            std::array<std::uint32_t, 256> table{};
            for (std::uint32_t i = 0; i < 256; ++i) {
                table[i] = i;
                for (int bit = 0; bit < 8; ++bit) table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320u : 0u);
            }
            return table;
        }();
        std::uint32_t crc = ~0u;
        for (const char letter : text) crc = TABLE[(crc ^ static_cast<unsigned char>(letter)) & 255] ^ crc >> 8;
        return ~crc;
    }

    std::string_view data_;
    std::size_t most_;
    std::string out_;
    std::size_t at_ = 0, member_start_ = 0;
    std::uint64_t buffer_ = 0;
    int buffered_ = 0;
};

}  // namespace checker
