// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "model/zoo_model.hpp"

namespace kuiper_infer::test {
namespace {

class ZooTest : public testing::TestWithParam<const char*> {};

TEST_P(ZooTest, EqualsPyTorch) {
  if (!ZooExists(GetParam())) GTEST_SKIP() << "no model " << GetParam() << " in " << ZooFolder();
  ExpectEqualsPyTorch(GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    Models, ZooTest,
    testing::Values("tv_resnet18", "tv_resnet18_b4", "tv_resnet50", "tv_resnext50_32x4d", "tv_squeezenet1_1",
                    "tv_densenet121", "tv_googlenet", "tv_inception_v3", "tv_mobilenet_v2", "tv_mobilenet_v3_small",
                    "tv_mobilenet_v3_large", "tv_mobilenet_v3_small_192x256", "tv_mnasnet1_0", "tv_shufflenet_v2_x1_0",
                    "tv_efficientnet_b0", "tv_regnet_y_400mf", "tv_lraspp_mobilenet_v3_large", "ul_yolov5n",
                    "ul_yolov8n", "ul_yolov3_tiny", "smp_unet_resnet18", "smp_unet_mobilenet_v2", "c_unet_deconv",
                    "c_unet_bilinear", "c_crnn", "c_lstm1", "c_lstm2_bi_b4", "c_textcnn", "c_espcn", "c_mtcnn_pnet",
                    "c_mtcnn_rnet", "c_mtcnn_onet", "c_mlp_mixer", "c_siamese_triplet", "c_yolov5_like"),
    [](const testing::TestParamInfo<const char*>& info) { return std::string(info.param); });

}  // namespace
}  // namespace kuiper_infer::test
