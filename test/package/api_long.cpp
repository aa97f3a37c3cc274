// SPDX-License-Identifier: MIT
#include <kuiper_infer/data/load_data.hpp>
#include <kuiper_infer/data/tensor.hpp>
#include <kuiper_infer/data/tensor_util.hpp>
#include <kuiper_infer/layer/abstract/layer.hpp>
#include <kuiper_infer/layer/abstract/layer_factory.hpp>
#include <kuiper_infer/layer/abstract/non_param_layer.hpp>
#include <kuiper_infer/layer/abstract/param_layer.hpp>
#include <kuiper_infer/layer/details/adaptive_avgpooling.hpp>
#include <kuiper_infer/layer/details/batchnorm2d.hpp>
#include <kuiper_infer/layer/details/cat.hpp>
#include <kuiper_infer/layer/details/convolution.hpp>
#include <kuiper_infer/layer/details/deconvolution.hpp>
#include <kuiper_infer/layer/details/expression.hpp>
#include <kuiper_infer/layer/details/flatten.hpp>
#include <kuiper_infer/layer/details/hardsigmoid.hpp>
#include <kuiper_infer/layer/details/hardswish.hpp>
#include <kuiper_infer/layer/details/linear.hpp>
#include <kuiper_infer/layer/details/matmul.hpp>
#include <kuiper_infer/layer/details/maxpooling.hpp>
#include <kuiper_infer/layer/details/relu.hpp>
#include <kuiper_infer/layer/details/relu6.hpp>
#include <kuiper_infer/layer/details/sigmoid.hpp>
#include <kuiper_infer/layer/details/silu.hpp>
#include <kuiper_infer/layer/details/softmax.hpp>
#include <kuiper_infer/layer/details/upsample.hpp>
#include <kuiper_infer/layer/details/view.hpp>
#include <kuiper_infer/parser/parse_expression.hpp>
#include <kuiper_infer/pnnx/ir.h>
#include <kuiper_infer/runtime/ir.h>
#include <kuiper_infer/runtime/runtime_attr.hpp>
#include <kuiper_infer/runtime/runtime_datatype.hpp>
#include <kuiper_infer/runtime/runtime_ir.hpp>
#include <kuiper_infer/runtime/runtime_op.hpp>
#include <kuiper_infer/runtime/runtime_operand.hpp>
#include <kuiper_infer/runtime/runtime_parameter.hpp>
#include <kuiper_infer/runtime/store_zip.hpp>
#include <kuiper_infer/status_code.hpp>
#include <kuiper_infer/tick.hpp>

// The body needs all of the above.
// clang-format off
#include "package/api_program.hpp"
// clang-format on
