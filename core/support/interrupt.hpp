// How a long computation is ended from outside.
#pragma once

#include <functional>

namespace noughts {

// Asked now and then by the thread that called; true ends the work.
using Interrupt = std::function<bool()>;

// Thrown by work that has no result when it is ended early.
struct Interrupted {};

}  // namespace noughts
