// What the parts of the Python binding share.
#pragma once

#include "kernel/rules.hpp"
#include "search/tuning.hpp"

#include <nanobind/nanobind.h>

#include <functional>
#include <map>
#include <string>
#include <string_view>

// Rules from a caller's words; std::invalid_argument names the option that is wrong.
sumito::Rules rules_from(int win_at, int repetition, int ply_limit,
                         std::string_view partner_sidestep, std::string_view stuck);

// Tuning with some settings changed; std::invalid_argument names one that doesn't exist.
sumito::Tuning tuning_from(const std::map<std::string, int>& settings);

// For work that Python's main thread waits for: hears Ctrl-C within milliseconds and throws what it
// raises. Nothing on other threads, which hear no signals.
std::function<bool()> signal_listener();

void bind_questions(nanobind::module_& m);
void bind_proof(nanobind::module_& m);
void bind_review(nanobind::module_& m);
void bind_search(nanobind::module_& m);
void bind_match(nanobind::module_& m);
void bind_lab(nanobind::module_& m);
void bind_env(nanobind::module_& m);
