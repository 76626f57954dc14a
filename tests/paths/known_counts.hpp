/// Published numbers of paths.
#pragma once

namespace kinjo::test {

/// Paths from corner to corner of a grid, by squares a side from 1 on (OEIS A007764).
inline constexpr const char* kCornerToCorner[] = {"2",
                                                  "12",
                                                  "184",
                                                  "8512",
                                                  "1262816",
                                                  "575780564",
                                                  "789360053252",
                                                  "3266598486981642",
                                                  "41044208702632496804",
                                                  "1568758030464750013214100",
                                                  "182413291514248049241470885236",
                                                  "64528039343270018963357185158482118"};

}  // namespace kinjo::test
