# SPDX-License-Identifier: MIT
"""Names that comments and documents may mention although the tree doesn't have them, for check_references.py."""
import re

# Files that the documents' examples, users or the converter write, and files of other projects.
FOREIGN_FILES = {"main.cpp", "picture.cpp", "export.py", "export_onnx.py", "x_pnnx.py", "net_pnnx.py", "m_pnnx.py", "model_pnnx.py",
                 "MODEL_pnnx.py", "_pnnx.py", "test_main.cpp", "source/layer/details/softmax.hpp", "source/layer/details/relu.hpp",
                 "src/libImaging/Resample.c", "llama.cpp"}
# Files that lie beside the project on the developers' machines.
FOREIGN_FILES |= {"peers.py", "fill_weights.py"}
FOREIGN_FOLDERS = {"build/", "dist/", "_failed/", "hwy/"}
# Names of PyTorch, ONNX Runtime, Ray, zip, C++ and the examples in comments; names of architectures and methods.
FOREIGN_NAMES = {"ActorPool", "PrefixCacheAffinityRouter", "Boost.Math", "Conv1D", "JavaScript", "ScalarType", "TorchScript",
                 "TracingCheckError",
                 "attn_implementation", "bad_cast", "bad_variant_access", "dynamic_axes", "dynamic_shapes", "pcm_s16le", "pooling_output_shape", "reduce_range",
                 "ConvNets", "MobileOne", "RepVGG", "SplitMix64", "MyLayer", "kMyOp", "kMyOps", "segmenter_int8", "x_pnnx", "APPNOTE",
                 "TXT", "LogitsProcessors", "OpenAI", "SentencePiece", "apply_chat_template", "output_0", "output_1", "tgt_mask",
                 "column_scales", "residual_byte"}  # variables of formulas in comments
# Models of the zoo, operators of models, x_i and y_j of formulas.
FOREIGN_NAME = re.compile(r"(?:dyn|raw_hf|tv|timm|hf|ul|smp|c)_\w+|attn_ht_\d+|[a-z]_[a-z]")
