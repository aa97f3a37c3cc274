// SPDX-License-Identifier: MIT
#include "quantization/observation/observer.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer::quantization {
namespace {

using kernel::QuantizationGrid;
using Loss = std::function<double(const Histogram&, const QuantizationGrid&)>;

constexpr int kLevels = 256;
constexpr double kInfinite = std::numeric_limits<double>::infinity();

const std::vector<std::pair<std::string, ObserverKind>> kNames = {{"minmax", ObserverKind::kMinMax},
                                                                  {"percentile", ObserverKind::kPercentile},
                                                                  {"kl", ObserverKind::kKl},
                                                                  {"mse", ObserverKind::kMse}};

double UnlimitedLevel(const QuantizationGrid& grid, double value) {
  return std::nearbyint(value / static_cast<double>(grid.scale)) + grid.zero_point;
}

double SquaredError(const Histogram& histogram, const QuantizationGrid& grid) {
  double sum = 0;
  for (int bin = 0; bin < Histogram::kBins; ++bin) {
    const double value = histogram.Center(bin);
    const double level = std::clamp(UnlimitedLevel(grid, value), 0.0, kLevels - 1.0);
    const double error = value - (level - grid.zero_point) * static_cast<double>(grid.scale);
    sum += histogram.count(bin) * error * error;
  }
  return sum;
}

/// The divergence of two distributions. The first is the numbers, in which numbers outside of the grid are moved to its
/// ends. The second follows from the grid's levels: the numbers of each level, without the moved ones, are spread
/// evenly over the level's bins that are not empty.
double Divergence(const Histogram& histogram, const QuantizationGrid& grid) {
  std::vector<double> numbers(Histogram::kBins, 0.0);
  std::vector<int> level_of(Histogram::kBins, -1);
  std::vector<double> inside(kLevels, 0.0);
  std::vector<double> bins(kLevels, 0.0);
  const auto in_grid = [&](int bin) {
    const double level = UnlimitedLevel(grid, histogram.Center(bin));
    return level >= 0 && level <= kLevels - 1;
  };
  int first = 0;
  while (first < Histogram::kBins && !in_grid(first)) ++first;
  int last = Histogram::kBins - 1;
  while (last > first && !in_grid(last)) --last;
  for (int bin = 0; bin < Histogram::kBins; ++bin) numbers[std::clamp(bin, first, last)] += histogram.count(bin);
  double kept = 0;
  for (int bin = first; bin <= last; ++bin) {
    if (numbers[bin] == 0) continue;
    level_of[bin] = static_cast<int>(UnlimitedLevel(grid, histogram.Center(bin)));
    inside[level_of[bin]] += histogram.count(bin);
    bins[level_of[bin]] += 1;
    kept += histogram.count(bin);
  }
  const double total = histogram.total();
  double sum = 0;
  for (int bin = first; bin <= last; ++bin) {
    if (numbers[bin] == 0) continue;
    const double told = inside[level_of[bin]] / bins[level_of[bin]] / kept;
    if (!(told > 0)) return kInfinite;
    sum += numbers[bin] / total * std::log(numbers[bin] / total / told);
  }
  return sum;
}

/// Moves the upper and the lower end in turn to the place with the least loss, while the other end stays.
QuantizationGrid Search(const Histogram& histogram, const Loss& loss) {
  constexpr int kParts = 64;
  constexpr int kRounds = 2;
  double ends[2] = {histogram.range().lowest, histogram.range().highest};
  QuantizationGrid best = GridOver(ends[0], ends[1]);
  double least = loss(histogram, best);
  for (int turn = 0; turn < 2 * kRounds; ++turn) {
    const int moved = 1 - turn % 2;
    const double full = moved == 1 ? histogram.range().highest : histogram.range().lowest;
    for (int part = 1; part <= kParts; ++part) {
      double tried[2] = {ends[0], ends[1]};
      tried[moved] = full * part / kParts;
      const QuantizationGrid grid = GridOver(tried[0], tried[1]);
      const double found = loss(histogram, grid);
      if (found >= least) continue;
      least = found;
      best = grid;
      ends[moved] = tried[moved];
    }
  }
  return best;
}

QuantizationGrid ByPercentile(const Histogram& histogram, double percentile) {
  const double left_out = std::round(histogram.total() * (1 - percentile / 100)) + 0.5;
  int first = 0;
  for (double sum = histogram.count(0); first < Histogram::kBins - 1 && sum < left_out;)
    sum += histogram.count(++first);
  int last = Histogram::kBins - 1;
  for (double sum = histogram.count(last); last > 0 && sum < left_out;) sum += histogram.count(--last);
  const double half = (histogram.Center(1) - histogram.Center(0)) / 2;
  return GridOver(histogram.Center(first) - half, histogram.Center(last) + half);
}

float ScaleOver(double lowest, double highest) {
  return static_cast<float>((std::max(highest, 0.0) - std::min(lowest, 0.0)) / (kLevels - 1));
}

}  // namespace

std::vector<std::string> ObserverNames() {
  std::vector<std::string> names;
  for (const auto& [name, kind] : kNames) names.push_back(name);
  return names;
}

ObserverKind ObserverOf(const std::string& name) {
  for (const auto& [known, kind] : kNames) {
    if (known == name) return kind;
  }
  throw Error(ErrorCode::kArgument, "the observer is '" + name + "', expected minmax, percentile, kl or mse");
}

bool HoldsAGrid(double lowest, double highest) {
  return ScaleOver(lowest, highest) >= std::numeric_limits<float>::min();
}

QuantizationGrid GridOver(double lowest, double highest) {
  if (!HoldsAGrid(lowest, highest)) return {1.0F, 0, 0, kLevels - 1};
  const float scale = ScaleOver(lowest, highest);
  const double zero_point =
      std::clamp(std::nearbyint(-std::min(lowest, 0.0) / static_cast<double>(scale)), 0.0, kLevels - 1.0);
  return {scale, static_cast<int32_t>(zero_point), 0, kLevels - 1};
}

QuantizationGrid ChooseGrid(const Histogram& histogram, const Observer& observer) {
  const Extremes& range = histogram.range();
  if (observer.kind == ObserverKind::kMinMax || histogram.total() == 0) return GridOver(range.lowest, range.highest);
  if (observer.kind == ObserverKind::kPercentile) return ByPercentile(histogram, observer.percentile);
  return Search(histogram, observer.kind == ObserverKind::kKl ? Divergence : SquaredError);
}

}  // namespace kuiper_infer::quantization
