// A small test framework: a test is a function registered under a sentence; CHECK reports failures with their place.
#pragma once

#include <functional>
#include <iostream>
#include <string>
#include <type_traits>
#include <vector>

namespace noughts::testing {

// Sanitizers make everything slower, so tests repeat their checks fewer times.
#ifdef NOUGHTS_SANITIZED
inline constexpr int SLOWNESS = 10;
#else
inline constexpr int SLOWNESS = 1;
#endif
constexpr int fewer(int count) { return (count + SLOWNESS - 1) / SLOWNESS; }

struct Test {
    std::string name;
    std::function<void()> body;
};

inline std::vector<Test>& all_tests() {
    static std::vector<Test> tests;
    return tests;
}

inline int& failures() {
    static int count = 0;
    return count;
}

struct Register {
    Register(const char* name, std::function<void()> body) { all_tests().push_back({name, std::move(body)}); }
};

// Prints numbers and text as they are, and enumerators as numbers.
template <typename T>
decltype(auto) printable(const T& value) {
    if constexpr (std::is_enum_v<T>)
        return static_cast<int>(value);
    else
        return (value);
}

template <typename A, typename B>
void check_equal(const A& a, const B& b, const char* text, const char* file, int line) {
    if (a == b) return;
    ++failures();
    std::cerr << file << ":" << line << ": " << text << ": got " << printable(a) << ", expected " << printable(b)
              << "\n";
}

}  // namespace noughts::testing

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
// Numbered by __COUNTER__, since several files may be compiled as one.
#define NUMBERED_TEST(name, number)                                                               \
    static void JOIN(test_, number)();                                                            \
    static const noughts::testing::Register JOIN(registered_, number)(name, JOIN(test_, number)); \
    static void JOIN(test_, number)()
#define TEST(name) NUMBERED_TEST(name, __COUNTER__)
#define CHECK_EQUAL(a, b) noughts::testing::check_equal(a, b, #a, __FILE__, __LINE__)
#define CHECK(a) noughts::testing::check_equal(static_cast<bool>(a), true, #a, __FILE__, __LINE__)
#define CHECK_THROWS_AS(expression, Error)                                                      \
    do {                                                                                        \
        bool thrown = false;                                                                    \
        try {                                                                                   \
            (void)(expression);                                                                 \
        } catch (const Error&) {                                                                \
            thrown = true;                                                                      \
        }                                                                                       \
        noughts::testing::check_equal(thrown, true, #expression " throws", __FILE__, __LINE__); \
    } while (false)
#define CHECK_THROWS(expression) CHECK_THROWS_AS(expression, std::invalid_argument)
