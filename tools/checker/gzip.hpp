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
struct HuffmanCode {
    int bits = 0;
    std::vector<std::uint16_t> table;  // symbol * 16 + length, or 0

    // Lengths of 0 mean unused symbols. Only a code of at most one symbol may be incomplete.
    explicit HuffmanCode(std::span<const std::uint8_t> lengths) {
        bits = std::ranges::max(lengths);
        table.assign(std::size_t{1} << bits, 0);
        std::size_t code = 0;  // with its bits in the order of their weight, as if all codes had 15 bits
        for (int length = 1; length <= bits; ++length)
            for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol) {
                if (lengths[symbol] != length) continue;
                expect(code < 1 << 15, "a compressed file with valid codes");
                std::size_t reversed = 0;
                for (int bit = 0; bit < length; ++bit) reversed |= (code >> (14 - bit) & 1) << bit;
                for (; reversed < table.size(); reversed += std::size_t{1} << length)
                    table[reversed] = static_cast<std::uint16_t>(symbol * 16 + length);
                code += std::size_t{1} << (15 - length);
            }
        expect(code == 1 << 15 || bits <= 1, "a compressed file with complete codes");
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
    static constexpr std::uint32_t FHCRC = 2, FEXTRA = 4, FNAME = 8, FCOMMENT = 16;
    static constexpr int END_OF_BLOCK = 256;

    void member() {
        expect(is_gzip(data_.substr(at_)), "nothing but zeros after a compressed file");
        at_ += 2;
        expect(bytes(1) == 8, "a file compressed by deflate");
        const std::uint32_t flags = bytes(1);
        bytes(4);
        bytes(2);
        if (flags & FEXTRA)
            for (std::uint32_t left = bytes(2); left > 0; --left) bytes(1);
        for (const std::uint32_t flag : {FNAME, FCOMMENT})
            while ((flags & flag) && bytes(1) != 0) continue;
        if (flags & FHCRC) bytes(2);
        start_ = out_.size();
        for (bool is_last = false; !is_last;) {
            is_last = take(1) == 1;
            block(take(2));
        }
        give_back();
        expect(bytes(4) == crc_of(std::string_view(out_).substr(start_)), "a compressed file with its checksum");
        expect(bytes(4) == static_cast<std::uint32_t>(out_.size() - start_), "a compressed file of its length");
    }

    void block(std::uint32_t kind) {
        expect(kind < 3, "a known kind of compressed block");
        if (kind == 0) return stored();
        if (kind == 2) return dynamic();
        std::array<std::uint8_t, 288> fixed{};
        for (std::size_t i = 0; i < fixed.size(); ++i) fixed[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
        std::array<std::uint8_t, 32> fives{};
        fives.fill(5);
        compressed(HuffmanCode(fixed), HuffmanCode(fives));
    }

    void stored() {
        give_back();
        const std::uint32_t length = bytes(2), check = bytes(2);
        expect(length == (~check & 0xffff) && length <= data_.size() - at_, "whole stored blocks");
        expect_room(length);
        out_.append(data_.substr(at_, length));
        at_ += length;
    }

    void dynamic() {
        constexpr std::array<int, 19> ORDER{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
        const std::size_t literals = take(5) + 257, distances = take(5) + 1, codes = take(4) + 4;
        expect(literals <= 286 && distances <= 30, "compressed blocks with at most 286 and 30 codes");
        std::array<std::uint8_t, 19> code_lengths{};
        for (std::size_t i = 0; i < codes; ++i) code_lengths[ORDER[i]] = static_cast<std::uint8_t>(take(3));
        const HuffmanCode code(code_lengths);
        expect(code.bits > 1 || std::ranges::count(code_lengths, 1) == 2, "a compressed file with complete codes");
        std::array<std::uint8_t, 286 + 30> lengths{};
        for (std::size_t i = 0; i < literals + distances;) {
            const int symbol = decode(code);
            expect(symbol != 16 || i > 0, "a first length before it is repeated");
            const std::size_t times = symbol < 16 ? 1 : symbol < 18 ? 3 + take(symbol - 14) : 11 + take(7);
            expect(times <= literals + distances - i, "as many lengths as codes");
            const auto length = static_cast<std::uint8_t>(symbol < 16 ? symbol : symbol == 16 ? lengths[i - 1] : 0);
            std::fill_n(lengths.begin() + static_cast<std::ptrdiff_t>(i), times, length);
            i += times;
        }
        expect(lengths[END_OF_BLOCK] > 0, "compressed blocks with an end");
        const std::span<const std::uint8_t> all(lengths);
        compressed(HuffmanCode(all.first(literals)), HuffmanCode(all.subspan(literals, distances)));
    }

    void compressed(const HuffmanCode& literals, const HuffmanCode& distances) {
        for (int symbol; (symbol = decode(literals)) != END_OF_BLOCK;) {
            if (symbol < END_OF_BLOCK) {
                expect_room(1);
                out_.push_back(static_cast<char>(symbol));
                continue;
            }
            const int index = symbol - 257, more = index < 8 || index == 28 ? 0 : index / 4 - 1;
            expect(index < 29, "a compressed file with valid lengths");
            const std::size_t base = index < 8 ? index + 3 : index == 28 ? 258 : ((4 + index % 4) << more) + 3;
            std::size_t length = base + take(more);
            const int code = decode(distances), shift = code < 4 ? 0 : code / 2 - 1;
            expect(code < 30, "a compressed file with valid distances");
            const std::size_t distance = (code < 4 ? code : (2 + code % 2) << shift) + 1 + std::size_t{take(shift)};
            expect(distance <= out_.size() - start_, "a compressed file with valid distances");
            expect_room(length);
            while (length > 0) {
                const std::size_t piece = std::min(length, distance);
                out_.append(out_, out_.size() - distance, piece);
                length -= piece;
            }
        }
    }

    void expect_room(std::size_t more) const { expect(more <= most_ - out_.size(), "less text in a compressed file"); }

    int decode(const HuffmanCode& code) {
        fill();
        const int entry = code.table[buffer_ & ((std::uint64_t{1} << code.bits) - 1)];
        expect(entry > 0, "a compressed file with valid codes");
        drop(entry & 15);
        return entry >> 4;
    }

    std::uint32_t take(int bits) {
        fill();
        const auto value = static_cast<std::uint32_t>(buffer_ & ((std::uint64_t{1} << bits) - 1));
        drop(bits);
        return value;
    }

    void fill() {
        for (; buffered_ <= 56 && at_ < data_.size(); buffered_ += 8)
            buffer_ |= std::uint64_t{static_cast<unsigned char>(data_[at_++])} << buffered_;
    }

    void drop(int bits) {
        expect(bits <= buffered_, "a whole compressed file");
        buffer_ >>= bits;
        buffered_ -= bits;
    }

    // Returns to the next whole byte of the input.
    void give_back() {
        at_ -= static_cast<std::size_t>(buffered_ / 8);
        buffer_ = 0;
        buffered_ = 0;
    }

    std::uint32_t bytes(int count) {
        std::uint32_t value = 0;
        for (int i = 0; i < count; ++i) {
            expect(at_ < data_.size(), "a whole compressed file");
            value |= std::uint32_t{static_cast<unsigned char>(data_[at_++])} << 8 * i;
        }
        return value;
    }

    static std::uint32_t crc_of(std::string_view text) {
        std::array<std::uint32_t, 256> table{};
        for (std::uint32_t i = 0; i < 256; ++i) {
            table[i] = i;
            for (int bit = 0; bit < 8; ++bit) table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320u : 0u);
        }
        std::uint32_t crc = ~0u;
        for (const char letter : text) crc = table[(crc ^ static_cast<unsigned char>(letter)) & 255] ^ crc >> 8;
        return ~crc;
    }

    std::string_view data_;
    std::size_t most_, at_ = 0, start_ = 0;
    std::string out_;
    std::uint64_t buffer_ = 0;
    int buffered_ = 0;
};

}  // namespace checker
