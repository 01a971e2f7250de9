// Helpers shared by the parts of the Python binding.
#pragma once

#include "kernel/rules.hpp"
#include "search/tuning.hpp"

#include <nanobind/nanobind.h>

#include <functional>
#include <map>
#include <string>
#include <string_view>

// Rules from the options' texts; std::invalid_argument names the invalid one.
sumito::Rules rules_from(int win_at, int repetition, int ply_limit,
                         std::string_view partner_sidestep, std::string_view stuck);

// Tuning with some settings changed; std::invalid_argument names an unknown one.
sumito::Tuning tuning_from(const std::map<std::string, int>& settings);

// A callback for work that Python's main thread waits for: checks for Ctrl-C every few milliseconds
// and throws what it raises. Empty on other threads, which receive no signals.
std::function<bool()> signal_listener();

void bind_rules_queries(nanobind::module_& m);
void bind_proof(nanobind::module_& m);
void bind_review(nanobind::module_& m);
void bind_search(nanobind::module_& m);
void bind_match(nanobind::module_& m);
void bind_lab(nanobind::module_& m);
void bind_env(nanobind::module_& m);
