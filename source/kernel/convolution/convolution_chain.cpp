// SPDX-License-Identifier: MIT
#include "kernel/convolution/convolution_chain.hpp"

#include <algorithm>
#include <cstring>

#include "kernel/convolution/convolution_method.hpp"
#include "shape/window_range.hpp"
#include "utils/element_at.hpp"
#include "utils/rounding.hpp"
#include "utils/system/cpu_info.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

/// The bytes that the rows which pass between stages may take, so that they stay in the second-level cache.
int64_t MostBufferBytes() { return SecondLevelCacheBytes() / 2; }

/// The floats of an image beyond which it is not in the second-level cache any more when the next convolution reads it.
int64_t LargeFloats() { return SecondLevelCacheBytes() / 2 / static_cast<int64_t>(sizeof(float)); }

const Window& Rows(const ChannelsLastConvolution& stage) { return stage.geometry.grid.window[1]; }

/// Numbers of a row of a stage's output.
int64_t RowNumbers(const ChannelsLastConvolution& stage) {
  return stage.geometry.grid.positions[2] * stage.geometry.channels_out;
}

/// Returns the number of rows of a stage's input, including padding, under `rows` rows of its output.
int64_t Reach(const ChannelsLastConvolution& stage, int64_t rows) {
  const auto [first, last] = WindowSpan(Rows(stage), {0, rows});
  return last - first;
}

/// Returns the scratch memory of `rows` rows of a stage's output.
int64_t ScratchBytes(const ChannelsLastConvolution& stage, int64_t rows) {
  if (stage.workspace_bytes == 0) return 0;
  ChannelsLastConvolution part = stage;
  part.geometry.batch = 1;
  part.geometry.grid.image[1] = Reach(stage, rows);
  part.geometry.grid.positions[1] = rows;
  part.method->schedule(part, 1);
  return part.workspace_bytes;
}

/// Sets the most rows of each stage's output that `band` rows of the last one's need; gives their size in bytes.
int64_t SetBufferRows(int64_t band, ConvolutionChain& chain) {
  int64_t numbers = 0;
  int64_t rows = band;
  for (int i = chain.count - 1; i > 0; --i) {
    rows = std::min(Reach(chain.stages[i], rows), chain.stages[i].geometry.grid.image[1]);
    chain.buffer_rows[i - 1] = rows;
    numbers += rows * RowNumbers(chain.stages[i - 1]);
  }
  return numbers * static_cast<int64_t>(ElementBytes(chain.between));
}

/// The rows of a stage's input under the output rows [rows.first, rows.last), at least one.
IndexRange InputRows(const ChannelsLastConvolution& stage, IndexRange rows) {
  const int64_t extent = stage.geometry.grid.image[1];
  const auto [begin, end] = WindowSpan(Rows(stage), rows);
  const int64_t first = std::clamp<int64_t>(begin, 0, extent - 1);
  return {first, std::clamp(end, first + 1, extent)};
}

using ArraysOfStages = std::array<ChannelsLastArrays, ConvolutionChain::kMost>;

/// Computes output rows of one image, band by band. `arrays` point to the image's first pixels.
class ChainRunner {
 public:
  ChainRunner(const ConvolutionChain& chain, const ArraysOfStages& arrays, void* buffers)
      : chain_(chain), arrays_(arrays) {
    int64_t numbers = 0;
    for (int i = 0; i + 1 < chain.count; ++i) {
      buffers_[i] = ElementAt(buffers, chain.between, numbers);
      numbers += chain.buffer_rows[i] * RowNumbers(chain.stages[i]);
    }
  }

  void Run(int64_t first, int64_t last) {
    for (int64_t row = first; row < last; row += chain_.band) {
      Produce(chain_.count - 1, {row, std::min(last, row + chain_.band)});
    }
  }

 private:
  /// Computes rows of a stage's output, and before that what they need. A buffer then holds just these rows.
  void Produce(int index, IndexRange rows) {
    const ChannelsLastConvolution& stage = chain_.stages[index];
    ChannelsLastArrays arrays = arrays_[index];
    IndexRange missing = rows;
    if (index + 1 < chain_.count) {
      missing.first = KeepRows(index, rows.first);
      arrays.output = ElementAt(buffers_[index], chain_.between, (missing.first - rows.first) * RowNumbers(stage));
      arrays.output_type = chain_.between;
      arrays.output_strides = {stage.geometry.channels_out, 0};
      held_[index] = rows;
    } else {
      const int64_t pixels = rows.first * stage.geometry.grid.positions[2];
      arrays.output = ElementAt(arrays.output, arrays.output_type, pixels * arrays.output_strides.pixel);
      if (arrays.residual != nullptr) {
        arrays.residual = ElementAt(arrays.residual, arrays.residual_type, pixels * arrays.residual_strides.pixel);
      }
    }
    if (missing.first >= missing.last) return;
    int64_t first_input = 0;
    if (index > 0) {
      Produce(index - 1, InputRows(stage, missing));
      arrays.input = buffers_[index - 1];
      arrays.input_type = chain_.between;
      first_input = held_[index - 1].first;
    }
    stage.method->run_rows(stage, arrays, first_input, missing.first, missing.last);
  }

  /// Moves the rows from `first` on that a buffer holds already to its start; gives the row behind them.
  int64_t KeepRows(int index, int64_t first) {
    const IndexRange held = held_[index];
    if (first < held.first || first >= held.last) return first;
    const int64_t numbers = RowNumbers(chain_.stages[index]);
    const void* kept = ElementAt(buffers_[index], chain_.between, (first - held.first) * numbers);
    const auto bytes = (held.last - first) * numbers * static_cast<int64_t>(ElementBytes(chain_.between));
    std::memmove(buffers_[index], kept, static_cast<std::size_t>(bytes));
    return held.last;
  }

  const ConvolutionChain& chain_;
  const ArraysOfStages& arrays_;
  std::array<void*, ConvolutionChain::kMost> buffers_{};
  std::array<IndexRange, ConvolutionChain::kMost> held_{};
};

}  // namespace

bool CanBeChained(const ChannelsLastConvolution& convolution, bool first) {
  const WindowGrid& grid = convolution.geometry.grid;
  const bool floats = convolution.product->left == RuntimeDataType::kTypeFloat32;
  return floats && convolution.method->run_rows != nullptr && (first || convolution.workspace_bytes == 0) &&
         grid.image[0] == 1 && grid.positions[0] == 1 && grid.image_size() > 0 && grid.position_count() > 0 &&
         convolution.geometry.batch > 0;
}

bool IsWorthChaining(const ChannelsLastConvolution& stage) {
  const int64_t images = stage.geometry.batch * stage.geometry.grid.positions[1] * RowNumbers(stage);
  return images > LargeFloats();
}

void AddStage(const ChannelsLastConvolution& stage, int threads, ConvolutionChain& chain) {
  chain.stages[chain.count++] = stage;
  const int64_t rows = stage.geometry.grid.positions[1];
  const int64_t batch = stage.geometry.batch;
  chain.workers = std::clamp<int64_t>(threads, 1, batch * rows);
  chain.pieces = batch % chain.workers == 0 ? 1 : std::min(rows, DivideUp(chain.workers, batch));
  const int64_t piece_rows = DivideUp(rows, chain.pieces);
  chain.band = 1;
  while (chain.band < piece_rows && SetBufferRows(chain.band + 1, chain) <= MostBufferBytes()) ++chain.band;
  SetBand(DivideUp(piece_rows, DivideUp(piece_rows, chain.band)), chain);
}

void SetBand(int64_t band, ConvolutionChain& chain) {
  chain.band = band;
  const int64_t buffer_bytes = AlignedBytes(SetBufferRows(band, chain));
  chain.scratch_bytes = ScratchBytes(chain.stages[0], chain.count > 1 ? chain.buffer_rows[0] : band);
  chain.worker_bytes = chain.scratch_bytes + buffer_bytes;
  chain.workspace_bytes = chain.workers * chain.worker_bytes;
}

void ConvolveChain(const ConvolutionChain& chain, const ArraysOfStages& arrays) {
  const ChannelsLastConvolution& last = chain.stages[chain.count - 1];
  const ChannelsLastArrays& result = arrays[chain.count - 1];
  const int64_t rows = last.geometry.grid.positions[1];
  ParallelItems(last.geometry.batch * chain.pieces, chain.workers, [&](int64_t worker, int64_t item) {
    const int64_t n = item / chain.pieces;
    const int64_t piece = item % chain.pieces;
    ArraysOfStages images = arrays;
    images[0].input = ElementAt(images[0].input, images[0].input_type, n * chain.stages[0].input.image);
    ChannelsLastArrays& target = images[chain.count - 1];
    target.output = ElementAt(target.output, target.output_type, n * target.output_strides.image);
    if (target.residual != nullptr) {
      target.residual = ElementAt(target.residual, target.residual_type, n * target.residual_strides.image);
    }
    images[0].workspace = result.workspace + worker * chain.worker_bytes;
    ChainRunner runner(chain, images, images[0].workspace + chain.scratch_bytes);
    runner.Run(rows * piece / chain.pieces, rows * (piece + 1) / chain.pieces);
  });
}

}  // namespace kuiper_infer::kernel
