/// The style sheet and the script of a report, as they stand in page.css and page.js.
#pragma once

#include <string_view>

namespace kinjo {

std::string_view page_style();
std::string_view page_script();

}  // namespace kinjo
