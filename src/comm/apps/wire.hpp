/// The members of results, for their way as bytes.
#pragma once

#include <kinjo/comm_apps.hpp>

#include "comm/apps/archive.hpp"

namespace kinjo::comm {

template <class Archive>
void members(Archive& archive, PingpongLine& line) {
  archive(line.way);
  archive(line.bytes);
  archive(line.latency_seconds);
  archive(line.bytes_per_second);
  archive(line.send_overhead_seconds);
  archive(line.receive_overhead_seconds);
}

template <class Archive>
void members(Archive& archive, PingpongResult& result) {
  archive(result.path);
  archive(result.lines);
}

/// What the results of all programs that run in rounds have.
template <class Archive, class Result>
void members_of_rounds(Archive& archive, Result& result) {
  archive(result.form);
  archive(result.seconds);
  archive(result.alone_seconds);
  archive(result.cells);
  archive(result.waits);
  archive(result.traced_seconds);
  archive(result.verified);
  archive(result.fault);
}

template <class Archive>
void members(Archive& archive, ShiftGemmResult& result) {
  members_of_rounds(archive, result);
}

template <class Archive>
void members(Archive& archive, ScgResult& result) {
  members_of_rounds(archive, result);
  archive(result.iterations);
  archive(result.residual);
  archive(result.error);
}

}  // namespace kinjo::comm
