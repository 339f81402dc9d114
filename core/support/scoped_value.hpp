// A variable that has another value for a while.
#pragma once

#include <utility>

namespace noughts {

// Gives a variable a value on construction, and the former one back on destruction.
template <typename T>
class [[nodiscard]] ScopedValue {
  public:
    ScopedValue(T& variable, T value) : variable_(variable), former_(std::exchange(variable, std::move(value))) {}
    ~ScopedValue() { variable_ = std::move(former_); }
    ScopedValue(const ScopedValue&) = delete;
    ScopedValue& operator=(const ScopedValue&) = delete;

  private:
    T& variable_;
    T former_;
};

}  // namespace noughts
