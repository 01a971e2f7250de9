// Errors of the kernel are standard exceptions, raised here alone, so that a build without
// exceptions has one place to change. What comes from outside (texts, files) can also be read
// without them: see `parse_board` and `Network::read`.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace sumito {

template <class Error = std::invalid_argument>
[[noreturn]] inline void raise(const std::string& what) {
#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
    throw Error(what);
#else
    std::fprintf(stderr, "%s\n", what.c_str());
    std::abort();
#endif
}

} // namespace sumito
