// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <map>

#include <nlohmann/json.hpp>

#include "cli/graph/graph_rows.hpp"
#include "cli/graph/operator_kind.hpp"
#include "cli/report/descriptions.hpp"
#include "cli/report/graph_layout.hpp"
#include "data/param_text.hpp"
#include "operation/classic_parameters.hpp"

namespace kuiper_infer::cli {
namespace {

constexpr std::size_t kMostLetters = 44;
constexpr std::size_t kMostParameters = 400;

/// The beginning of a text; a letter of several bytes may lose some.
std::string Shortened(const std::string& text, std::size_t most) {
  return text.size() <= most ? text : text.substr(0, most - 3) + "...";
}

/// The second line of a box.
std::string DetailOf(const GraphRows& graph, std::size_t row) {
  const std::string shape = graph.ShapeText(row);
  const std::string method = graph.MethodText(row);
  return shape.empty() || method.empty() ? shape + method : shape + "  " + method;
}

double WidthOf(const std::string& title, const std::string& detail) {
  constexpr double kTitleLetter = 6.8;
  constexpr double kDetailLetter = 6;
  constexpr double kBorders = 26;
  return kBorders + std::max({64.0, kTitleLetter * static_cast<double>(title.size()),
                              kDetailLetter * static_cast<double>(detail.size())});
}

nlohmann::json DescribeOperator(const RuntimeOperator& op) {
  std::string parameters;
  for (const auto& [name, value] : ParameterValues(op)) {
    parameters += (parameters.empty() ? "" : " ") + name + "=" + ParamText(value);
  }
  return {{"name", op.name}, {"type", op.type}, {"parameters", Shortened(parameters, kMostParameters)}};
}

/// Numbers of a picture need no more than a tenth of a pixel.
double Rounded(double place) { return std::round(place * 10) / 10; }

nlohmann::json DescribePoints(const std::vector<Point>& points) {
  nlohmann::json described = nlohmann::json::array();
  for (const Point& point : points) described.push_back({Rounded(point.x), Rounded(point.y)});
  return described;
}

}  // namespace

nlohmann::json DescribeGraph(const RuntimeGraph& graph, const Steps& steps) {
  std::multimap<std::string, std::size_t> steps_by_name;
  for (std::size_t i = 0; i < steps.size(); ++i) steps_by_name.emplace(steps[i].name, i);
  const GraphRows rows = StepRows(graph, steps);
  nlohmann::json nodes = nlohmann::json::array();
  std::vector<double> widths;
  std::vector<LayoutEdge> links;
  for (std::size_t i = 0; i < rows.rows.size(); ++i) {
    const GraphRow& row = rows.rows[i];
    const RuntimeOperator& first = *row.operators.front();
    const std::string title = Shortened(row.Title(), kMostLetters);
    const std::string detail = Shortened(DetailOf(rows, i), kMostLetters);
    nlohmann::json node = {{"title", title}, {"detail", detail}, {"kind", KindOf(first.type).id}, {"name", first.name}};
    for (const RuntimeOperator* op : row.operators) node["operators"].push_back(DescribeOperator(*op));
    node["steps"] = nlohmann::json::array();
    const auto [begin, end] = steps_by_name.equal_range(first.name);
    for (auto step = begin; step != end; ++step) node["steps"].push_back(step->second);
    widths.push_back(WidthOf(title, detail));
    node["width"] = Rounded(widths.back());
    nodes.push_back(std::move(node));
    for (const std::size_t input : rows.Inputs(i)) links.push_back({input, i});
  }
  const LayoutSizes sizes;
  const GraphLayout layout = LayOutGraph(widths, links, sizes);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    nodes[i]["x"] = Rounded(layout.nodes[i].x);
    nodes[i]["y"] = Rounded(layout.nodes[i].y);
  }
  nlohmann::json edges = nlohmann::json::array();
  for (std::size_t i = 0; i < links.size(); ++i) {
    edges.push_back({{"from", links[i].from}, {"to", links[i].to}, {"points", DescribePoints(layout.edges[i])}});
  }
  return {{"nodes", nodes},
          {"edges", edges},
          {"node_height", sizes.node_height},
          {"width", Rounded(layout.width)},
          {"height", Rounded(layout.height)}};
}

}  // namespace kuiper_infer::cli
