/// `kinjo tune --suite`: what it sweeps, and what it does beforehand.
#pragma once

#include <optional>
#include <string>

#include <kinjo/topology.hpp>

#include "report/picture.hpp"
#include "tune/suite.hpp"
#include "tune_options.hpp"
#include "workload/subject.hpp"

namespace kinjo::cli {

/// Turns the name of a suite into what is swept: its workloads and their sizes, below those that
/// were set, and its time. Throws `Error` for an unknown name, or words beside it.
void expand_suite(TuneSettings& settings, const SuiteMachine& machine);

/// Says what the suite will take, and measures the machine unless a profile of it is kept that is
/// not old. What that took is taken off the budget.
void prepare_suite(TuneSettings& settings, const Topology& machine);

/// The part of the time that a workload is to have, relative to the others'.
double suite_share(const TuneSettings& settings, const std::string& workload);

/// Who waits when, of one more run of a program of cells; nothing of other subjects.
std::optional<Picture> waits_of(const Subject& subject, const Mapping& mapping);

}  // namespace kinjo::cli
