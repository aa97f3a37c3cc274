// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_BLOCK_REGISTER_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_BLOCK_REGISTER_INL_HPP_
#undef KUIPER_KERNEL_BLOCK_REGISTER_INL_HPP_
#else
#define KUIPER_KERNEL_BLOCK_REGISTER_INL_HPP_
#endif

#include <algorithm>
#include <complex>
#include <type_traits>

#include <hwy/highway.h>

#include "kernel/elementwise/block_program.hpp"
#include "kernel/float_lanes-inl.hpp"
#include "utils/dispatch.hpp"
#include "utils/half.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// A block on the stack. It is read from `data` and written to `own`. `data` is `own` or, if an input is contiguous and
/// has the type that is computed in, the memory of the input.
struct Register {
  std::byte* own;
  const std::byte* data;
  RuntimeDataType type;

  template <class T>
  const T* read() const {
    return reinterpret_cast<const T*>(data);
  }
  /// The memory for new contents. The old contents may still be read from `data`, element by element.
  template <class T>
  T* write() const {
    return reinterpret_cast<T*>(own);
  }
};

template <class Function>
auto DispatchCompute(RuntimeDataType type, const Function& function) {
  switch (ComputeTypeOf(type)) {
    case ComputeType::kFloat:
      return function(TypeTag<float>{});
    case ComputeType::kDouble:
      return function(TypeTag<double>{});
    case ComputeType::kComplex:
      return function(TypeTag<std::complex<double>>{});
    case ComputeType::kInt:
      break;
  }
  return function(TypeTag<int64_t>{});
}

/// An element in another type; complex numbers lose their imaginary part.
template <class To, class From>
To Cast(const From& value) {
  constexpr bool kFromComplex = !std::is_convertible_v<From, float>;
  if constexpr (kFromComplex && std::is_arithmetic_v<To>) {
    return static_cast<To>(value.real());
  } else if constexpr (!kFromComplex && !std::is_arithmetic_v<To>) {
    return To(static_cast<typename To::value_type>(value));
  } else {
    return static_cast<To>(value);
  }
}

/// The type in which elements of `Stored` are computed.
template <class Stored>
using Computed = std::conditional_t<std::is_integral_v<Stored>, int64_t,
                                    std::conditional_t<std::is_arithmetic_v<Stored>, Stored, std::complex<double>>>;

/// Calls function(TypeTag<T>) as DispatchReal does, for complex types too.
template <class Function>
void DispatchStored(RuntimeDataType type, const Function& function) {
  if (type == RuntimeDataType::kTypeComplex64) return function(TypeTag<std::complex<float>>{});
  if (type == RuntimeDataType::kTypeComplex128) return function(TypeTag<std::complex<double>>{});
  DispatchReal(type, function);
}

/// Wraps integers to the width of their type; bools become 0 or 1.
void Narrow(int64_t* values, int64_t count, RuntimeDataType type) {
  DispatchReal(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_same_v<T, bool>) {
      for (int64_t i = 0; i < count; ++i) values[i] = values[i] != 0 ? 1 : 0;
    } else if constexpr (std::is_integral_v<T> && sizeof(T) < sizeof(int64_t)) {
      for (int64_t i = 0; i < count; ++i) values[i] = static_cast<int64_t>(static_cast<T>(values[i]));
    }
  });
}

/// Changes a block's type. If that is done in place, each element is read before its memory is overwritten.
void Convert(Register& block, RuntimeDataType type, int64_t count) {
  if (block.type == type) return;
  DispatchCompute(block.type, [&](auto from_tag) {
    DispatchCompute(type, [&](auto to_tag) {
      using From = typename decltype(from_tag)::type;
      using To = typename decltype(to_tag)::type;
      if constexpr (!std::is_same_v<From, To>) {
        // Elements that grow are converted from the end.
        const auto convert = [&](int64_t i) {
          const From value = block.read<From>()[i];
          if (std::is_integral_v<To> && type == RuntimeDataType::kTypeBool) {
            block.write<To>()[i] = Cast<To>(static_cast<int64_t>(value != From(0)));
          } else {
            block.write<To>()[i] = Cast<To>(value);
          }
        };
        if (sizeof(To) > sizeof(From)) {
          for (int64_t i = count; i-- > 0;) convert(i);
        } else {
          for (int64_t i = 0; i < count; ++i) convert(i);
        }
      } else if (block.data != block.own) {
        std::copy_n(block.read<From>(), count, block.write<To>());
      }
    });
  });
  if (ComputeTypeOf(type) == ComputeType::kInt) Narrow(block.write<int64_t>(), count, type);
  block.type = type;
  block.data = block.own;
}

/// Reads `count` elements that follow each other in the output's row-major order from element `start` on.
template <class Stored, class T>
void Gather(const Stored* data, const Shape& shape, const Strides& strides, int64_t start, int64_t count, T* to) {
  const auto rank = static_cast<int64_t>(shape.size());
  if (rank == 0) {
    std::fill_n(to, count, Cast<T>(*data));
    return;
  }
  const int64_t inner = shape[rank - 1];
  const int64_t stride = strides[rank - 1];
  while (count > 0) {
    const int64_t column = start % inner;
    int64_t rest = start / inner;
    int64_t offset = column * stride;
    for (int64_t axis = rank - 1; axis-- > 0;) {
      offset += rest % shape[axis] * strides[axis];
      rest /= shape[axis];
    }
    const int64_t run = std::min(count, inner - column);
    const Stored* from = data + offset;
    if (stride == 0) {
      std::fill_n(to, run, Cast<T>(*from));
    } else if (stride == 1) {
      for (int64_t i = 0; i < run; ++i) to[i] = Cast<T>(from[i]);
    } else {
      for (int64_t i = 0; i < run; ++i) to[i] = Cast<T>(from[i * stride]);
    }
    to += run;
    start += run;
    count -= run;
  }
}

/// An input of a program.
struct ProgramInput {
  const void* data;
  RuntimeDataType type;
  const Shape& shape;
  const Strides& strides;
  ProgramStorage::Input stored;  ///< the stored form, if `type` is float32
};

/// Reads bytes of a grid as float32 numbers, with the same bits as the results of NumbersOfBytes.
void LoadBytes(const ProgramInput& input, int64_t start, int64_t count, Register& block) {
  auto* const numbers = block.write<float>();
  Gather(static_cast<const uint8_t*>(input.data), input.shape, input.strides, start, count, numbers);
  const auto zero_point = static_cast<float>(input.stored.grid.zero_point);
  const float scale = input.stored.grid.scale;
  for (int64_t i = 0; i < count; ++i) numbers[i] = (numbers[i] - zero_point) * scale;
  block.type = RuntimeDataType::kTypeFloat32;
  block.data = block.own;
}

/// Reads numbers that are stored as bfloat16.
void LoadBFloat16(const ProgramInput& input, int64_t start, int64_t count, Register& block) {
  const auto* data = static_cast<const uint16_t*>(input.data);
  auto* const numbers = block.write<float>();
  if (kStoresBFloat16 && input.shape.size() == 1 && input.strides[0] == 1) {
    ConvertFloats(data + start, count, numbers);
  } else {
    Gather(reinterpret_cast<const BFloat16*>(data), input.shape, input.strides, start, count, numbers);
  }
  block.type = RuntimeDataType::kTypeFloat32;
  block.data = block.own;
}

void Load(const ProgramInput& input, int64_t start, int64_t count, Register& block) {
  if (input.stored.type == RuntimeDataType::kTypeUInt8) return LoadBytes(input, start, count, block);
  if (input.stored.type == RuntimeDataType::kTypeBFloat16) return LoadBFloat16(input, start, count, block);
  const Shape& shape = input.shape;
  const Strides& strides = input.strides;
  block.type = input.type;
  DispatchStored(input.type, [&](auto tag) {
    using Stored = typename decltype(tag)::type;
    const auto* data = static_cast<const Stored*>(input.data);
    if constexpr (std::is_same_v<Stored, Computed<Stored>>) {
      if (shape.size() == 1 && strides[0] == 1) {
        block.data = reinterpret_cast<const std::byte*>(data + start);
        return;
      }
    }
    Gather(data, shape, strides, start, count, block.write<Computed<Stored>>());
    block.data = block.own;
  });
}

/// Writes a block into an array of this type.
void Store(const Register& block, RuntimeDataType type, std::byte* output, int64_t count) {
  DispatchStored(type, [&](auto tag) {
    using Stored = typename decltype(tag)::type;
    auto* to = reinterpret_cast<Stored*>(output);
    const auto* from = block.read<Computed<Stored>>();
    for (int64_t i = 0; i < count; ++i) to[i] = static_cast<Stored>(from[i]);
  });
}

/// Writes float32 results in their stored form: as bytes of a grid, as bfloat16, or as float32 rounded to a grid.
void StoreChanged(const float* results, const ProgramStorage& storage, std::byte* output, int64_t count) {
  if (storage.result == RuntimeDataType::kTypeUInt8) {
    RoundRowsToBytes(*storage.grid, 1, count, results, count, reinterpret_cast<uint8_t*>(output), count);
  } else if (storage.result == RuntimeDataType::kTypeBFloat16) {
    if (kStoresBFloat16) return ConvertFloats(results, count, reinterpret_cast<uint16_t*>(output));
    auto* const to = reinterpret_cast<BFloat16*>(output);
    for (int64_t i = 0; i < count; ++i) to[i] = results[i];
  } else {
    RoundToGrid(*storage.grid, count, results, reinterpret_cast<float*>(output));
  }
}

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
