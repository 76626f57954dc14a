#include "support/machine_samples.hpp"

#include <fmt/format.h>

namespace kinjo::test {

namespace {

std::string sets(unsigned cpus, unsigned nodes) {
  return fmt::format(
      R"(cpuset="{0:#x}" complete_cpuset="{0:#x}" nodeset="{1:#x}" complete_nodeset="{1:#x}")",
      cpus, nodes);
}

std::string package_xml(unsigned number, unsigned node, const std::string& model) {
  const std::string its = sets(1u << number, 1u << node);
  const unsigned id = 10 * (number + 1);
  return fmt::format(
      R"(<object type="Package" os_index="{0}" {1} gp_index="{3}"><info name="CPUModel" value="{5}"/>
<object type="NUMANode" os_index="{2}" {1} gp_index="{4}1" local_memory="4096"/>
<object type="PU" os_index="{0}" {1} gp_index="{4}2"/>
</object>
)",
      number, its, node, id, id, model);
}

}  // namespace

std::string two_packages_xml(const std::string& model, const std::string& allowed_cpus) {
  return fmt::format(
      R"(<topology version="2.0">
<object type="Machine" os_index="0" {} allowed_cpuset="{}" allowed_nodeset="0x21" gp_index="1">
{}{}</object>
<distances2 type="NUMANode" nbobjs="2" kind="5" name="NUMALatency" indexing="os">
<indexes length="4">0 5 </indexes><u64values length="12">10 21 22 10 </u64values>
</distances2>
</topology>
)",
      sets(0x3, 0x21), allowed_cpus, package_xml(0, 0, model), package_xml(1, 5, model));
}

}  // namespace kinjo::test
