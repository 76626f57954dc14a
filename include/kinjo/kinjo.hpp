/// The whole core of kinjo: the machine, placement, memory and teams.
#pragma once

#include <kinjo/audit.hpp>
#include <kinjo/barrier.hpp>
#include <kinjo/binding.hpp>
#include <kinjo/cache_sizes.hpp>
#include <kinjo/error.hpp>
#include <kinjo/index_set.hpp>
#include <kinjo/mapping.hpp>
#include <kinjo/memory.hpp>
#include <kinjo/partition.hpp>
#include <kinjo/partitioned_array.hpp>
#include <kinjo/place.hpp>
#include <kinjo/policy.hpp>
#include <kinjo/team.hpp>
#include <kinjo/topology.hpp>
