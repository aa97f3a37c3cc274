// SPDX-License-Identifier: MIT
// The graph: drawn once, then moved, zoomed, searched and coloured anew.

/** A line through the corners that leaves and enters boxes vertically. */
function edgePath(points) {
  let path = `M${points[0][0]},${points[0][1]}`;
  for (let i = 1; i < points.length; ++i) {
    const [[x0, y0], [x1, y1]] = [points[i - 1], points[i]];
    const middle = (y0 + y1) / 2;
    path += x0 === x1 ? `V${y1}` : `C${x0},${middle} ${x1},${middle} ${x1},${y1}`;
  }
  return path;
}

class GraphView {
  /** `describe(node)` gives the lines of a node's tooltip, `choose(node)` is called with the node that is clicked. */
  constructor(graph, describe, choose) {
    this.graph = graph;
    this.choose = choose;
    this.view = { x: 0, y: 0, scale: 1 };
    this.nodes = graph.nodes.map((node) => this.drawNode(node, describe));
    this.edges = graph.edges.map((edge) => shape("path", { d: edgePath(edge.points) }));
    // The overview repeats what is inside of the moved group.
    const drawn = shape("g", { id: "drawn" }, shape("g", { class: "edges" }, ...this.edges), shape("g", {}, ...this.nodes));
    this.drawn = shape("g", {}, drawn);
    this.pane = shape("svg", { class: "pane" }, this.drawn);
    this.frame = shape("rect", { class: "frame" });
    this.overview = shape("svg", { class: "overview", preserveAspectRatio: "xMidYMin", viewBox: `-10 -10 ${graph.width + 20} ${graph.height + 20}` },
      shape("use", { href: "#drawn" }), this.frame);
    this.details = element("aside", { class: "details" });
    this.element = element("div", { class: "viewer" }, this.overview, this.pane, this.details);
    this.listen();
  }

  drawNode(node, describe) {
    const height = this.graph.node_height;
    const [left, top] = [node.x - node.width / 2, node.y - height / 2];
    return shape("g", { class: "node", ...tipped(() => describe(node)), onclick: () => { if (!this.moved) this.select(node); } },
      shape("rect", { class: "box", x: left, y: top, width: node.width, height, rx: 6 }),
      shape("rect", { class: "stripe", x: left + 1, y: top + 1, width: 5, height: height - 2, rx: 3 }),
      shape("text", { x: node.x + 3, y: node.detail ? node.y - 3 : node.y + 4, "text-anchor": "middle" }, node.title),
      node.detail ? shape("text", { class: "detail", x: node.x + 3, y: node.y + 13, "text-anchor": "middle" }, node.detail) : null);
  }

  /** Colours boxes by `fillOf(node)` and their stripes by `stripeOf(node)`. */
  paint(fillOf, stripeOf) {
    this.graph.nodes.forEach((node, i) => {
      this.nodes[i].querySelector(".box").style.fill = fillOf(node);
      this.nodes[i].querySelector(".stripe").style.fill = stripeOf(node);
    });
  }

  select(node) {
    this.graph.nodes.forEach((other, i) => this.nodes[i].classList.toggle("chosen", other === node));
    const at = this.graph.nodes.indexOf(node);
    this.graph.edges.forEach((edge, i) => this.edges[i].classList.toggle("chosen", edge.from === at || edge.to === at));
    this.details.replaceChildren(...this.choose(node));
  }

  /** Marks the nodes for which `matches(node)` holds and gives them; null marks none. */
  mark(matches) {
    this.element.classList.toggle("searching", matches !== null);
    return this.graph.nodes.filter((node, i) => {
      const found = matches !== null && matches(node);
      this.nodes[i].classList.toggle("found", found);
      return found;
    });
  }

  moveTo(x, y, scale = this.view.scale) {
    this.view = { x, y, scale };
    const { clientWidth: width, clientHeight: height } = this.pane;
    this.drawn.setAttribute("transform", `translate(${width / 2 - x * scale},${height / 2 - y * scale}) scale(${scale})`);
    const frame = { x: x - width / 2 / scale, y: y - height / 2 / scale, width: width / scale, height: height / scale };
    for (const [name, value] of Object.entries(frame)) this.frame.setAttribute(name, value);
  }

  show(node) {
    this.moveTo(node.x, node.y, Math.max(this.view.scale, 0.8));
    this.select(node);
  }

  fit() {
    const scale = Math.min(this.pane.clientWidth / (this.graph.width + 40), this.pane.clientHeight / (this.graph.height + 40), 1.5);
    this.moveTo(this.graph.width / 2, this.graph.height / 2, scale);
  }

  /** The upper end, as much of it as is readable. */
  start() {
    const least = 0.75;
    const scale = Math.max(least, Math.min(1, this.pane.clientWidth / (this.graph.width + 40)));
    const first = this.graph.nodes[0];
    this.moveTo(first && scale === least ? first.x : this.graph.width / 2, this.pane.clientHeight / 2 / scale - 20, scale);
  }

  /** Changes the scale; the place under the pointer, or else the middle, stays. */
  zoom(factor, event = null) {
    const scale = Math.max(0.02, Math.min(4, this.view.scale * factor));
    const box = this.pane.getBoundingClientRect();
    const [right, down] = event ? [event.clientX - box.left - box.width / 2, event.clientY - box.top - box.height / 2] : [0, 0];
    const change = 1 / this.view.scale - 1 / scale;
    this.moveTo(this.view.x + right * change, this.view.y + down * change, scale);
  }

  listen() {
    let from = null;
    this.pane.addEventListener("pointerdown", (event) => { from = { x: event.clientX, y: event.clientY, view: this.view }; this.moved = false; });
    window.addEventListener("pointermove", (event) => {
      if (!from) return;
      const [right, down] = [event.clientX - from.x, event.clientY - from.y];
      if (Math.abs(right) + Math.abs(down) > 4) this.moved = true;
      if (!this.moved) return;
      this.pane.classList.add("moving");
      this.moveTo(from.view.x - right / from.view.scale, from.view.y - down / from.view.scale);
    });
    window.addEventListener("pointerup", () => { from = null; this.pane.classList.remove("moving"); });
    this.pane.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey) return;  // the page scrolls
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY * 0.002), event);
    }, { passive: false });
    this.overview.addEventListener("click", (event) => {
      const place = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.overview.getScreenCTM().inverse());
      this.moveTo(place.x, place.y);
    });
    window.addEventListener("resize", () => this.moveTo(this.view.x, this.view.y));
  }
}
