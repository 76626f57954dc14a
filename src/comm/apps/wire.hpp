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
}

template <class Archive>
void members(Archive& archive, PingpongResult& result) {
  archive(result.path);
  archive(result.lines);
}

template <class Archive>
void members(Archive& archive, ShiftGemmResult& result) {
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
void members(Archive& archive, ScgResult& result) {
  archive(result.form);
  archive(result.iterations);
  archive(result.residual);
  archive(result.error);
  archive(result.seconds);
  archive(result.alone_seconds);
  archive(result.cells);
  archive(result.waits);
  archive(result.traced_seconds);
  archive(result.verified);
  archive(result.fault);
}

}  // namespace kinjo::comm
