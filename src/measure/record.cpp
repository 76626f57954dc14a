#include "measure/record.hpp"

#include "base/contract.hpp"

namespace kinjo {

const Metric& find_metric(const Record& record, const std::string& name) {
  for (const Metric& metric : record.metrics) {
    if (metric.name == name) return metric;
  }
  detail::contract_violated("the record has the metric", __FILE__, __LINE__);
}

}  // namespace kinjo
