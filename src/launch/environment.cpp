#include "launch/environment.hpp"

#include <unistd.h>

#include <algorithm>

namespace kinjo::detail {

namespace {
bool names(std::string_view entry, std::string_view name) {
  return entry.size() > name.size() && entry.starts_with(name) && entry[name.size()] == '=';
}
}  // namespace

Environment Environment::inherited() {
  Environment copy;
  for (char** entry = environ; entry && *entry; ++entry) copy.entries_.emplace_back(*entry);
  return copy;
}

std::vector<std::string>::iterator Environment::locate(std::string_view name) {
  return std::find_if(entries_.begin(), entries_.end(),
                      [&](const std::string& entry) { return names(entry, name); });
}

void Environment::set(std::string_view name, std::string_view value) {
  std::string entry = std::string(name) + '=' + std::string(value);
  if (const auto found = locate(name); found != entries_.end()) {
    *found = std::move(entry);
  } else {
    entries_.push_back(std::move(entry));
  }
}

void Environment::set(const Variables& variables) {
  for (const auto& [name, value] : variables) set(name, value);
}

void Environment::unset(std::string_view name) {
  std::erase_if(entries_, [&](const std::string& entry) { return names(entry, name); });
}

const char* Environment::find(std::string_view name) const {
  for (const std::string& entry : entries_) {
    if (names(entry, name)) return entry.c_str() + name.size() + 1;
  }
  return nullptr;
}

std::vector<char*> Environment::pointers() const {
  std::vector<char*> pointers;
  pointers.reserve(entries_.size() + 1);
  for (const std::string& entry : entries_) pointers.push_back(const_cast<char*>(entry.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

CpuSet all_place_cpus(const Mapping& mapping, BindLevel level) {
  CpuSet cpus;
  for (std::size_t t = 0; t < mapping.size(); ++t) cpus |= bound_cpus(mapping, t, level);
  return cpus;
}

std::string places_text(const Mapping& mapping, BindLevel level) {
  std::string text;
  for (std::size_t t = 0; t < mapping.size(); ++t) {
    if (t != 0) text += ';';
    text += bound_cpus(mapping, t, level).to_string();
  }
  return text;
}

namespace {

/// A place in OpenMP's syntax, whose ranges are `first:length`: single numbers need no second look.
std::string openmp_place(const CpuSet& cpus) {
  std::string place;
  for (const int cpu : cpus) place += (place.empty() ? "{" : ",") + std::to_string(cpu);
  return place + "}";
}

}  // namespace

Variables openmp_variables(const Mapping& mapping, BindLevel level) {
  Variables variables = {{"OMP_NUM_THREADS", std::to_string(mapping.size())}};
  if (!mapping.binds()) return variables;
  std::string places;
  for (std::size_t t = 0; t < mapping.size(); ++t) {
    if (t != 0) places += ',';
    places += openmp_place(bound_cpus(mapping, t, level));
  }
  variables.emplace_back("OMP_PLACES", places);
  variables.emplace_back("OMP_PROC_BIND", "close");
  return variables;
}

}  // namespace kinjo::detail
