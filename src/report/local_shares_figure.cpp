#include <fmt/format.h>

#include "base/contract.hpp"
#include "report/axes.hpp"
#include "report/local_shares.hpp"
#include "report/svg.hpp"

namespace kinjo {

namespace {

constexpr double kWidth = 820;
constexpr double kNames = 110;  ///< the column of workloads
constexpr double kTop = 34;
constexpr double kRow = 30;
constexpr double kBar = 18;
constexpr double kFigures = 66;  ///< beside a bar
constexpr double kGap = 14;
constexpr double kFoot = 34;
constexpr const char* kLocal = "#2166ac";
constexpr const char* kOther = "#f1a340";

void draw_bar(Svg& svg, const std::string& name, const PolicyShare& policy, const std::string& text,
              Point corner, double width) {
  const double share = policy.share();
  const std::string tip = fmt::format("{}, {}: {} local", name, policy.policy, text);
  svg.rectangle(corner, width, kBar, kOther, {.width = 0}, tip);
  svg.rectangle(corner, width * share, kBar, kLocal, {.width = 0}, tip);
  svg.text({corner.x + width + 6, corner.y + kBar - 4}, text, {.size = 13});
}

void draw_legend(Svg& svg, double y) {
  const std::pair<const char*, const char*> entries[] = {{kLocal, "on the thread's own node"},
                                                         {kOther, "on another node"}};
  double x = kNames;
  for (const auto& [colour, text] : entries) {
    svg.rectangle({x, y}, 14, 14, colour, {.width = 0});
    svg.text({x + 20, y + 12}, text, {.size = 13});
    x += 220;
  }
}

}  // namespace

Picture local_shares_picture(const LocalShares& shares) {
  KINJO_ASSERT(!shares.workloads.empty());
  const Table table = local_shares_table(shares);
  const std::string title = fmt::format("Local bytes in the laboratory: {} threads on {}",
                                        shares.threads, shares.machine);
  const auto columns = static_cast<double>(table.header().size() - 1);
  const double width = (kWidth - kNames) / columns;
  Svg svg(kWidth, kTop + kRow * static_cast<double>(shares.workloads.size()) + kFoot, title,
          "For each workload and policy a bar, filled as far as bytes were on the thread's own "
          "node. Counts of a virtual machine. The table below holds the same figures.");
  for (std::size_t p = 1; p < table.header().size(); ++p) {
    svg.text({kNames + width * static_cast<double>(p - 1), 18},
             fitted_text(table.header()[p], width - kGap, 14), {.size = 14, .bold = true});
  }
  for (std::size_t w = 0; w < shares.workloads.size(); ++w) {
    const WorkloadShare& workload = shares.workloads[w];
    const double y = kTop + kRow * static_cast<double>(w);
    svg.text({1, y + kBar - 4}, workload.workload, {.size = 14});
    for (std::size_t p = 0; p < workload.policies.size(); ++p) {
      draw_bar(svg, workload.workload, workload.policies[p], table.rows()[w][p + 1],
               {kNames + width * static_cast<double>(p), y}, width - kFigures - kGap);
    }
  }
  draw_legend(svg, kTop + kRow * static_cast<double>(shares.workloads.size()) + 6);
  return {title, "", svg.inline_text(), table};
}

}  // namespace kinjo
