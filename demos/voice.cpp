// SPDX-License-Identifier: MIT
// Prints the times of speech in a sound, by the weights of Silero VAD:
//   tools/get_model.py silero_vad
//   voice tmp/speech.wav
// The sound is 16 kHz, mono, 16-bit PCM; ffmpeg -i any.mp3 -ac 1 -ar 16000 -c:a pcm_s16le sound.wav makes one.
// tmp/speech.wav was spoken by espeak-ng.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>

#include <CLI/CLI.hpp>

#include "kuiper_infer/model.hpp"
#include "wave_file.hpp"

namespace {

using kuiper_infer::NdArray;

constexpr int kSamplingRate = 16000;
constexpr int64_t kFrame = 512;   // new samples of a step, 32 ms
constexpr int64_t kContext = 64;  // samples before them, which the network sees again

constexpr int64_t kShortestPause = kSamplingRate / 10;  // a shorter one does not end a segment
constexpr int64_t kShortestSpeech = kSamplingRate / 4;  // a shorter segment is a click or a cough
constexpr float kHysteresis = 0.15F;                    // speech goes on until the chance is so much lower

NdArray Zeros(const kuiper_infer::Shape& shape) {
  NdArray zeros(kuiper_infer::RuntimeDataType::kTypeFloat32, shape);
  std::fill_n(zeros.data<float>(), zeros.size(), 0.0F);
  return zeros;
}

/// The chance of speech in each frame; the last frame is filled with silence.
std::vector<float> SpeechChances(const kuiper_infer::Model& model, const std::vector<float>& samples) {
  if (model.inputs().size() != 1) throw std::runtime_error("the model should take samples and two states");
  kuiper_infer::Session session = model.NewSession();  // the states of the network's LSTM stay in it
  NdArray input = Zeros({1, kContext + kFrame});
  float* context = input.data<float>();
  std::vector<float> chances;
  const auto length = static_cast<int64_t>(samples.size());
  for (int64_t start = 0; start < length; start += kFrame) {
    const int64_t count = std::min(kFrame, length - start);
    std::copy_n(samples.data() + start, count, context + kContext);
    std::fill_n(context + kContext + count, kFrame - count, 0.0F);
    chances.push_back(*session.Run({{model.inputs().front().name, input}}).front().data<float>());
    std::copy_n(context + kFrame, kContext, context);
  }
  return chances;
}

struct Segment {
  int64_t start = 0;  ///< in samples
  int64_t end = 0;
};

/// Returns the intervals of speech. Each begins when the probability rises over the threshold, and ends when it stays
/// below for the shortest pause.
std::vector<Segment> SpeechSegments(const std::vector<float>& chances, float threshold, int64_t length) {
  std::vector<Segment> segments;
  const auto keep = [&](const Segment& segment) {
    if (segment.end - segment.start > kShortestSpeech) segments.push_back(segment);
  };
  bool speaking = false;
  bool pausing = false;  // since segment.end
  Segment segment;
  for (std::size_t i = 0; i < chances.size(); ++i) {
    const auto now = static_cast<int64_t>(i) * kFrame;
    if (chances[i] >= threshold) {
      if (!speaking) segment.start = now;
      speaking = true;
      pausing = false;
    } else if (speaking && chances[i] < threshold - kHysteresis) {
      if (!pausing) segment.end = now;
      pausing = true;
    }
    if (pausing && now - segment.end >= kShortestPause) {
      keep(segment);
      speaking = pausing = false;
    }
  }
  if (speaking) keep({segment.start, length});  // a pause that the sound cuts short ends nothing
  return segments;
}

void FindSpeech(const std::string& model_files, const std::string& path, float threshold) {
  const demos::Sound sound = demos::ReadWave(path);
  if (sound.sampling_rate != kSamplingRate) {
    throw std::runtime_error(path + ": has " + std::to_string(sound.sampling_rate) + " samples a second; " +
                             std::to_string(kSamplingRate) + " are expected");
  }
  kuiper_infer::BuildOptions options;
  options.num_threads = 1;                                          // a frame is too little work to share
  options.states = {{"1", "pnnx_input_1"}, {"2", "pnnx_input_2"}};  // outputs that are inputs of the next frame
  const auto model = kuiper_infer::Model::Load(model_files + ".pnnx.param", model_files + ".pnnx.bin", options);
  const auto begin = std::chrono::steady_clock::now();
  const std::vector<float> chances = SpeechChances(model, sound.samples);
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
  const auto length = static_cast<int64_t>(sound.samples.size());
  const std::vector<Segment> segments = SpeechSegments(chances, threshold, length);
  for (const Segment& segment : segments) {
    std::printf("%.2f %.2f\n", static_cast<double>(segment.start) / kSamplingRate,
                static_cast<double>(segment.end) / kSamplingRate);
  }
  std::fprintf(stderr, "%zu segments in %.2f s of sound, heard in %.3f s\n", segments.size(),
               static_cast<double>(length) / kSamplingRate, time.count());
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Prints the segments of speech in a sound: start and end in seconds."};
  app.footer("Example:\n  voice tmp/speech.wav");
  std::string model = "tmp/models/silero_vad";
  std::string sound;
  float threshold = 0.5F;
  app.add_option("--model", model, "The model's files without .pnnx.param and .pnnx.bin")->capture_default_str();
  app.add_option("--threshold", threshold, "The least probability of speech")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 1.0));
  app.add_option("sound", sound, "WAV file: 16 kHz, mono, 16-bit PCM")->required();
  CLI11_PARSE(app, argc, argv);
  try {
    FindSpeech(model, sound, threshold);
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << "\n";
    return 1;
  }
  return 0;
}
