// What the parts of the Python binding share.
#pragma once

#include "rules.hpp"

#include <nanobind/nanobind.h>

#include <string_view>

// Rules from a caller's words; std::invalid_argument names the option that is wrong.
sumito::Rules rules_from(int win_at, int repetition, int ply_limit,
                         std::string_view partner_sidestep, std::string_view stuck);
