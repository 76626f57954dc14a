#include "report/html.hpp"

#include <gtest/gtest.h>

namespace kinjo {
namespace {

TEST(TableHtml, EscapesAndMarksColumnsOfNumbers) {
  Table table({"name", "n"});
  table.add({"<b>&\"", "12"});
  EXPECT_EQ(
      table_html(table, "a \"caption\""),
      "<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"a &quot;caption&quot;\">"
      "<table>\n<caption>a &quot;caption&quot;</caption>\n"
      "<thead><tr><th scope=\"col\">name</th><th scope=\"col\" class=\"number\">n</th></tr>"
      "</thead>\n<tbody>\n"
      "<tr><td>&lt;b&gt;&amp;&quot;</td><td class=\"number\">12</td></tr>\n"
      "</tbody></table></div>\n");
}

TEST(Html, EscapesPlainTextAndKeepsHtml) {
  EXPECT_EQ(paragraph("a < b"), "<p>a &lt; b</p>\n");
  EXPECT_EQ(paragraph("x", "note"), "<p class=\"note\">x</p>\n");
  EXPECT_EQ(element("li", "<b>x</b>"), "<li><b>x</b></li>\n");
  EXPECT_EQ(details("a < b", "<p>x</p>\n"),
            "<details><summary>a &lt; b</summary>\n<p>x</p>\n</details>\n");
  EXPECT_EQ(code_block("a && b"),
            "<pre class=\"code\" tabindex=\"0\"><code>a &amp;&amp; b</code></pre>\n");
}

TEST(JsonInScript, CannotEndTheElement) {
  EXPECT_EQ(json_in_script(R"({"a":"</script><!--"})"), R"({"a":"\u003c/script>\u003c!--"})");
}

}  // namespace
}  // namespace kinjo
