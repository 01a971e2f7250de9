// Assertions that report what failed and where, and count failures.
#pragma once

#include <iostream>

inline int failures = 0;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            std::cerr << __FILE__ << ':' << __LINE__ << ": " #condition "\n";                      \
            ++failures;                                                                            \
        }                                                                                          \
    } while (false)

#define CHECK_EQUAL(left, right)                                                                   \
    do {                                                                                           \
        const auto l = (left);                                                                     \
        const auto r = (right);                                                                    \
        if (!(l == r)) {                                                                           \
            std::cerr << __FILE__ << ':' << __LINE__ << ": " #left " is " << l << ", not " << r    \
                      << "\n";                                                                     \
            ++failures;                                                                            \
        }                                                                                          \
    } while (false)
