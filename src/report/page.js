// The page is complete without this: it makes tables sortable and shows the figures' tips at once.
"use strict";

// A cell that begins with a number is sorted by it; the others follow, in the order of their text.
const leadingNumber = /^[▲▼\s]*([-+]?\d[\d.]*(?:e[-+]?\d+)?)/i;

function compareCells(a, b) {
  const [left, right] = [a, b].map((text) => leadingNumber.exec(text));
  if (left && right) return Number(left[1]) - Number(right[1]) || a.localeCompare(b);
  if (left || right) return left ? -1 : 1;
  return a.localeCompare(b);
}

function sortTable(table, column, header) {
  const ascending = header.getAttribute("aria-sort") !== "ascending";
  for (const other of header.parentNode.children) other.removeAttribute("aria-sort");
  header.setAttribute("aria-sort", ascending ? "ascending" : "descending");
  const body = table.tBodies[0];
  const text = (row) => row.cells[column].textContent;
  const rows = [...body.rows].sort((a, b) => compareCells(text(a), text(b)));
  if (!ascending) rows.reverse();
  body.append(...rows);
}

for (const table of document.querySelectorAll("table")) {
  [...table.tHead.rows[0].cells].forEach((header, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...header.childNodes);
    button.addEventListener("click", () => sortTable(table, column, header));
    header.append(button);
  });
}

// Browsers show a shape's title after a while; here it is shown at once, beside the pointer.
const tip = document.createElement("div");
tip.id = "tip";
tip.hidden = true;
document.body.append(tip);
let shown = null;

function hideTip() {
  if (shown) shown.shape.append(shown.title);
  shown = null;
  tip.hidden = true;
}

function placeTip(event) {
  const room = document.documentElement;
  tip.style.left = Math.max(0, Math.min(event.clientX + 14, room.clientWidth - tip.offsetWidth - 4)) + "px";
  tip.style.top = Math.max(0, Math.min(event.clientY + 16, room.clientHeight - tip.offsetHeight - 4)) + "px";
}

document.addEventListener("pointerover", (event) => {
  hideTip();
  const shape = event.target;
  const title = shape.closest("svg") && shape.localName !== "svg" && shape.querySelector(":scope > title");
  if (!title) return;
  shown = { shape, title };
  title.remove();  // else the browser would show it too
  tip.textContent = title.textContent;
  tip.hidden = false;
  placeTip(event);
});
document.addEventListener("pointermove", (event) => shown && placeTip(event));
document.documentElement.addEventListener("pointerleave", hideTip);
