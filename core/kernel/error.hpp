// Raising of errors: standard exceptions, or an abort in builds without exceptions (WebAssembly).
// Untrusted texts can be read without exceptions: see `parse_board`.
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
