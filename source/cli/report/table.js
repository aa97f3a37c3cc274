// SPDX-License-Identifier: MIT
// Tables that are sorted by a click on a column's head.

/**
 * A column: {head, cell: row -> node or text, key: row -> what it is sorted by, number: whether it stands to the right}.
 * `sorted` is the column by which the table is sorted at first, `most` how many rows are shown until all are asked for,
 * `chosen` what a click on a row does.
 */
function makeTable(columns, rows, { sorted = null, most = Infinity, chosen = null } = {}) {
  let by = sorted;
  let down = true;
  let shown = most;
  const body = element("tbody");
  const more = element("button", { onclick: () => { shown = Infinity; draw(); } });
  const titles = columns.map((column) => (column.key ? element("button", {
    class: "sortable",
    onclick: () => {
      down = by === column ? !down : Boolean(column.number);
      by = column;
      draw();
    },
  }) : element("span", {}, column.head)));
  const heads = columns.map((column, i) => element("th", { scope: "col", class: column.number ? "number" : undefined }, titles[i]));

  function draw() {
    const order = [...rows];
    if (by) {
      const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
      order.sort((a, b) => compare(by.key(a), by.key(b)) * (down ? -1 : 1));
    }
    body.replaceChildren(...order.slice(0, shown).map((row) => element("tr", chosen ? { class: "link", ...pressed(() => chosen(row)) } : {},
      ...columns.map((column) => element("td", { class: (column.number ? "number" : "name") + (column.bars ? " bars" : "") }, column.cell(row))))));
    heads.forEach((head, i) => {
      if (!columns[i].key) return;
      const sorts = columns[i] === by;
      head.classList.toggle("sorted", sorts);
      head.setAttribute("aria-sort", sorts ? (down ? "descending" : "ascending") : "none");
      titles[i].textContent = columns[i].head + (sorts ? (down ? " ▾" : " ▴") : "");
    });
    more.hidden = order.length <= shown;
    more.textContent = "Show all " + order.length;
  }
  draw();
  return element("div", {}, element("div", { class: "scroll" },
    element("table", {}, element("thead", {}, element("tr", {}, ...heads)), body)), more);
}

/** Attributes of an element that is no button and that a click, Enter or the space bar acts on. */
const pressed = (act) => ({
  tabindex: "0", onclick: act,
  onkeydown: (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    act();
  },
});

/** A bar of a length from 0 to 1. */
const bar = (share, color) => {
  const drawn = element("span", { class: "bar" });
  drawn.style.width = 100 * Math.min(1, share) + "%";
  drawn.style.background = color;
  return drawn;
};

const dot = (color) => {
  const drawn = element("i", { class: "dot" });
  drawn.style.background = color;
  return drawn;
};

/** A list of names with values. */
const makeList = (pairs) => element("dl", {}, ...pairs.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]));
