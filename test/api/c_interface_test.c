/* SPDX-License-Identifier: MIT */
/* Uses every call of the C interface on the shipped line reader: its input is (1,1,32,width), its output (1,width /
 * 4,96), logarithms of probabilities.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kuiper_infer/kuiper_c.h"
#include "kuiper_infer/version.h"

static int failures = 0;

#define EXPECT(condition)                                                                                            \
  do {                                                                                                               \
    if (!(condition)) {                                                                                              \
      fprintf(stderr, "%s:%d: %s is false (last error: %s)\n", __FILE__, __LINE__, #condition, kuiper_last_error()); \
      ++failures;                                                                                                    \
    }                                                                                                                \
  } while (0)

enum { kWidth = 100, kPixels = 32 * kWidth };

static float pixels[kPixels];

static kuiper_array Image(const int64_t* shape) {
  kuiper_array image;
  image.type = KUIPER_FLOAT32;
  image.rank = 4;
  image.shape = shape;
  image.data = pixels;
  return image;
}

static void TestMistakes(kuiper_model* model, const char* param) {
  static const int64_t wrong_rank[] = {1, 32, kWidth};
  static const int64_t negative[] = {1, 1, 32, -kWidth};
  static const int64_t absurd[] = {INT64_MAX, INT64_MAX, 2, 2};
  kuiper_model* none = (kuiper_model*)1;
  kuiper_array array;
  const char* input = kuiper_input_name(model, 0);
  EXPECT(kuiper_load("/no/such.param", "/no/such.bin", NULL, &none) == KUIPER_ERROR_FILE);
  EXPECT(none == NULL);
  EXPECT(strstr(kuiper_last_error(), "/no/such.param") != NULL);
  EXPECT(kuiper_load(NULL, "x", NULL, &none) == KUIPER_ERROR_INPUT);
  EXPECT(kuiper_load(param, param, NULL, NULL) == KUIPER_ERROR_INPUT);
  EXPECT(kuiper_load(param, param, NULL, &none) == KUIPER_ERROR_FILE);
  EXPECT(kuiper_clone(NULL, &none) == KUIPER_ERROR_INPUT);
  EXPECT(kuiper_run(NULL) == KUIPER_ERROR_INPUT);
  EXPECT(kuiper_run(model) == KUIPER_ERROR_INPUT); /* nothing set */
  EXPECT(kuiper_get_output(model, 0, &array) == KUIPER_ERROR_STATE);
  EXPECT(kuiper_get_input(model, 1, &array) == KUIPER_ERROR_INPUT);
  EXPECT(kuiper_input_name(model, 1) == NULL && kuiper_input_name(NULL, 0) == NULL);
  EXPECT(kuiper_input_count(NULL) == 0 && kuiper_output_count(NULL) == 0 && kuiper_output_count(model) == 0);
  array = Image(wrong_rank);
  array.rank = 3;
  EXPECT(kuiper_set_input(model, input, &array) == KUIPER_ERROR_INPUT);
  EXPECT(strstr(kuiper_last_error(), "(1,32,100)") != NULL);
  array = Image(negative);
  EXPECT(kuiper_set_input(model, input, &array) == KUIPER_ERROR_SHAPE);
  array = Image(absurd);
  EXPECT(kuiper_set_input(model, input, &array) == KUIPER_ERROR_SHAPE);
  array.rank = -1;
  EXPECT(kuiper_set_input(model, input, &array) == KUIPER_ERROR_INPUT);
  array = Image(NULL);
  EXPECT(kuiper_set_input(model, input, &array) == KUIPER_ERROR_INPUT);
  array.type = 99;
  EXPECT(kuiper_set_input(model, input, &array) == KUIPER_ERROR_INPUT);
  EXPECT(kuiper_set_input(model, "nobody", &array) == KUIPER_ERROR_INPUT);
  kuiper_free(NULL);
  kuiper_cancel(NULL);
}

static void TestRuns(kuiper_model* model) {
  static const int64_t shape[] = {1, 1, 32, kWidth};
  kuiper_model* clone = NULL;
  kuiper_array image = Image(shape);
  kuiper_array scores;
  kuiper_array again;
  float sum;
  int i;
  EXPECT(kuiper_set_input(model, kuiper_input_name(model, 0), &image) == KUIPER_OK);
  EXPECT(kuiper_run(model) == KUIPER_OK);
  EXPECT(kuiper_output_count(model) == 1);
  EXPECT(kuiper_get_output(model, 1, &scores) == KUIPER_ERROR_INPUT);
  EXPECT(kuiper_get_output(model, 0, &scores) == KUIPER_OK);
  EXPECT(scores.type == KUIPER_FLOAT32 && scores.rank == 3);
  EXPECT(scores.shape[0] == 1 && scores.shape[1] == kWidth / 4 && scores.shape[2] == 96);
  sum = 0;
  for (i = 0; i < 96; ++i) sum += expf(((const float*)scores.data)[i]);
  EXPECT(fabsf(sum - 1.0F) < 1e-5F);

  EXPECT(kuiper_clone(model, &clone) == KUIPER_OK);
  EXPECT(kuiper_set_input(clone, kuiper_input_name(clone, 0), &image) == KUIPER_OK);
  kuiper_cancel(clone);
  EXPECT(kuiper_run(clone) == KUIPER_ERROR_CANCELLED);
  EXPECT(kuiper_output_count(clone) == 0);
  EXPECT(kuiper_run_for(clone, 0.0) == KUIPER_ERROR_DEADLINE);
  EXPECT(kuiper_run_for(clone, -1.0) == KUIPER_ERROR_DEADLINE);
  EXPECT(kuiper_run_for(clone, -HUGE_VAL) == KUIPER_ERROR_DEADLINE);
  EXPECT(kuiper_run_for(clone, NAN) == KUIPER_ERROR_DEADLINE);
  EXPECT(kuiper_run_for(clone, 1000.0) == KUIPER_OK);
  EXPECT(kuiper_run_for(clone, HUGE_VAL) == KUIPER_OK);
  EXPECT(kuiper_get_output(clone, 0, &again) == KUIPER_OK);
  EXPECT(kuiper_get_output(model, 0, &scores) == KUIPER_OK);
  EXPECT(again.data != scores.data);
  EXPECT(memcmp(again.data, scores.data, 96 * sizeof(float)) == 0);
  kuiper_free(clone);
}

/* A file's bytes; the caller frees them. */
static char* ReadFile(const char* path, size_t* size) {
  FILE* file = fopen(path, "rb");
  char* bytes = NULL;
  long end = 0;
  *size = 0;
  if (file == NULL) return NULL;
  if (fseek(file, 0, SEEK_END) == 0) end = ftell(file);
  rewind(file);
  if (end > 0) bytes = malloc((size_t)end);
  if (bytes != NULL) *size = fread(bytes, 1, (size_t)end, file);
  fclose(file);
  return bytes;
}

static void TestMemory(const char* param_path, const char* bin_path) {
  static const int64_t shape[] = {1, 1, 32, kWidth};
  static char long_path[8192];
  size_t i;
  size_t param_size;
  size_t bin_size;
  char* param = ReadFile(param_path, &param_size);
  char* bin = ReadFile(bin_path, &bin_size);
  kuiper_model* model = NULL;
  kuiper_model* of_files = NULL;
  kuiper_array image = Image(shape);
  kuiper_array scores;
  kuiper_array expected;
  EXPECT(kuiper_load_memory(param, param_size, bin, bin_size / 2, NULL, &model) == KUIPER_ERROR_FILE);
  EXPECT(model == NULL && strstr(kuiper_last_error(), "the bin bytes") != NULL);
  EXPECT(kuiper_load_memory(param, param_size / 2, bin, bin_size, NULL, &model) == KUIPER_ERROR_FILE);
  EXPECT(strstr(kuiper_last_error(), "the param text:") != NULL);
  /* The path of a file that is not there, whose characters have two bytes each, is longer than a text may be. */
  memset(long_path, 'a', 1);
  for (i = 1; i + 2 < sizeof(long_path); i += 2) memcpy(long_path + i, "\xC3\xA9", 2);
  EXPECT(kuiper_load(long_path, bin_path, NULL, &model) == KUIPER_ERROR_FILE);
  EXPECT(strlen(kuiper_last_error()) == 4095 && strncmp(kuiper_last_error(), long_path, 4095) == 0);
  EXPECT(kuiper_load(long_path + 1, bin_path, NULL, &model) == KUIPER_ERROR_FILE);
  EXPECT(strlen(kuiper_last_error()) == 4094);
  EXPECT(kuiper_load_memory(NULL, 0, bin, bin_size, NULL, &model) == KUIPER_ERROR_INPUT);
  EXPECT(kuiper_load_memory(param, param_size, NULL, 0, NULL, &model) == KUIPER_ERROR_INPUT);
  EXPECT(kuiper_load_memory(param, param_size, bin, bin_size, NULL, NULL) == KUIPER_ERROR_INPUT);
  EXPECT(kuiper_load_memory(param, param_size, bin, bin_size, NULL, &model) == KUIPER_OK);
  free(param);
  free(bin);
  EXPECT(kuiper_load(param_path, bin_path, NULL, &of_files) == KUIPER_OK);
  if (model == NULL || of_files == NULL) return;
  EXPECT(kuiper_set_input(model, "pnnx_input_0", &image) == KUIPER_OK && kuiper_run(model) == KUIPER_OK);
  EXPECT(kuiper_set_input(of_files, "pnnx_input_0", &image) == KUIPER_OK && kuiper_run(of_files) == KUIPER_OK);
  EXPECT(kuiper_get_output(model, 0, &scores) == KUIPER_OK && kuiper_get_output(of_files, 0, &expected) == KUIPER_OK);
  EXPECT(memcmp(scores.data, expected.data, kWidth / 4 * 96 * sizeof(float)) == 0);
  kuiper_free(model);
  kuiper_free(of_files);
}

/* Options as another version of the header might have them. */
typedef struct {
  size_t size;
  int64_t max_memory_bytes;
} older_options;
typedef struct {
  kuiper_options known;
  int64_t unknown;
} newer_options;

static void TestOptions(const char* param, const char* bin) {
  kuiper_model* model = NULL;
  kuiper_options options;
  older_options older = {sizeof older, 1000};
  newer_options newer;
  memset(&options, 0, sizeof options);
  memset(&newer, 0, sizeof newer);
  options.size = sizeof options;
  newer.known.size = sizeof newer;
  newer.known.measure_methods = 1;
  EXPECT(kuiper_load(param, bin, (const kuiper_options*)&older, &model) == KUIPER_ERROR_RESOURCE);
  older.max_memory_bytes = 0;
  EXPECT(kuiper_load(param, bin, (const kuiper_options*)&older, &model) == KUIPER_OK);
  kuiper_free(model);
  EXPECT(kuiper_load(param, bin, &newer.known, &model) == KUIPER_OK);
  kuiper_free(model);
  newer.unknown = 1;
  EXPECT(kuiper_load(param, bin, &newer.known, &model) == KUIPER_ERROR_INPUT);
  EXPECT(strstr(kuiper_last_error(), "kuiper_options has ") != NULL);
  options.size = 0;
  EXPECT(kuiper_load(param, bin, &options, &model) == KUIPER_ERROR_INPUT);
  EXPECT(strstr(kuiper_last_error(), "kuiper_options.size is 0") != NULL);
  options.size = (size_t)-1;
  EXPECT(kuiper_load(param, bin, &options, &model) == KUIPER_ERROR_INPUT);
  options.size = sizeof options;
  options.num_threads = -1;
  EXPECT(kuiper_load(param, bin, &options, &model) == KUIPER_ERROR_INPUT);
  options.num_threads = 0;
  options.max_memory_bytes = -1;
  EXPECT(kuiper_load(param, bin, &options, &model) == KUIPER_ERROR_INPUT);
  EXPECT(model == NULL);
  options.max_memory_bytes = 0;
  options.fuse_operators = 2;
  EXPECT(kuiper_load(param, bin, &options, &model) == KUIPER_ERROR_INPUT);
  EXPECT(strstr(kuiper_last_error(), "kuiper_options.fuse_operators is 2") != NULL);
  options.fuse_operators = -1;
  options.place_results = -2;
  EXPECT(kuiper_load(param, bin, &options, &model) == KUIPER_ERROR_INPUT);
  EXPECT(strstr(kuiper_last_error(), "kuiper_options.place_results is -2") != NULL);
  options.place_results = 1;
  options.convolution_method = "magic";
  EXPECT(kuiper_load(param, bin, &options, &model) == KUIPER_ERROR_ARGUMENT);
  EXPECT(strstr(kuiper_last_error(), "convolution_method is 'magic', expected segments, ") != NULL);
  options.convolution_method = NULL;
  options.state_type = "int4";
  EXPECT(kuiper_load(param, bin, &options, &model) == KUIPER_ERROR_ARGUMENT);
  EXPECT(strstr(kuiper_last_error(), "state_type is 'int4', expected auto, ") != NULL);
  EXPECT(model == NULL);
}

typedef struct {
  size_t calls;
  size_t total;
  int named;
} progress_log;

static void Note(void* user, size_t done, size_t total, const char* name, const char* type) {
  progress_log* log = user;
  ++log->calls;
  log->total = total;
  log->named = done == log->calls && name[0] != '\0' && type[0] != '\0';
}

static size_t CountSteps(const char* param, const char* bin, const kuiper_options* options) {
  static const int64_t shape[] = {1, 1, 32, kWidth};
  kuiper_run_options run;
  progress_log log = {0, 0, 0};
  kuiper_model* model = NULL;
  kuiper_array image = Image(shape);
  memset(&run, 0, sizeof run);
  run.size = sizeof run;
  run.progress = Note;
  run.user = &log;
  EXPECT(kuiper_load(param, bin, options, &model) == KUIPER_OK);
  if (model == NULL) return 0;
  EXPECT(kuiper_set_input(model, "pnnx_input_0", &image) == KUIPER_OK && kuiper_run_with(model, &run) == KUIPER_OK);
  kuiper_free(model);
  return log.total;
}

static void TestSwitches(const char* param, const char* bin) {
  kuiper_options options;
  memset(&options, 0, sizeof options);
  options.size = sizeof options;
  options.convolution_method = "rows";
  options.fuse_operators = 1;
  const size_t joined = CountSteps(param, bin, &options);
  options.fuse_operators = -1;
  EXPECT(joined < CountSteps(param, bin, &options));
}

/* After TestRuns, whose input is still set. */
static void TestRunOptions(kuiper_model* model) {
  kuiper_run_options options;
  progress_log log = {0, 0, 0};
  memset(&options, 0, sizeof options);
  EXPECT(kuiper_run_with(model, &options) == KUIPER_ERROR_INPUT); /* no size */
  options.size = sizeof options;
  options.num_threads = 2;
  options.progress = Note;
  options.user = &log;
  EXPECT(kuiper_run_with(model, &options) == KUIPER_OK);
  EXPECT(log.calls > 0 && log.calls == log.total && log.named);
  EXPECT(kuiper_run_with(model, NULL) == KUIPER_OK);
  EXPECT(kuiper_run_with(NULL, &options) == KUIPER_ERROR_INPUT);
  options.num_threads = -1;
  EXPECT(kuiper_run_with(model, &options) == KUIPER_ERROR_INPUT);
  options.num_threads = 0;
  options.reserved = 1;
  EXPECT(kuiper_run_with(model, &options) == KUIPER_ERROR_INPUT);
  options.reserved = 0;
  options.max_seconds = 1e-9;
  EXPECT(kuiper_run_with(model, &options) == KUIPER_ERROR_DEADLINE);
  options.max_seconds = -1;
  EXPECT(kuiper_run_with(model, &options) == KUIPER_ERROR_DEADLINE);
  EXPECT(kuiper_run_for(model, -1) == KUIPER_ERROR_DEADLINE);
  EXPECT(kuiper_run_for(model, NAN) == KUIPER_ERROR_DEADLINE);
}

/* Two outputs, the first of which is a tuple of two arrays. */
static void TestOutputNames(void) {
  static const char param[] =
      "7767517\n6 4\n"
      "pnnx.Input pnnx_input_0 0 1 0 #0=(2,3)f32\n"
      "nn.ReLU relu 1 1 0 1\n"
      "torch.neg neg 1 1 0 2\n"
      "prim::TupleConstruct pair 2 1 1 2 3\n"
      "pnnx.Output pnnx_output_0 1 0 3\n"
      "pnnx.Output pnnx_output_1 1 0 2\n";
  static const unsigned char empty_archive[22] = {'P', 'K', 5, 6};
  static const int64_t shape[] = {2, 3};
  static const float numbers[] = {1, 2, 3, 4, 5, 6};
  kuiper_model* model = NULL;
  kuiper_array input = {KUIPER_FLOAT32, 2, NULL, NULL};
  kuiper_array array;
  input.shape = shape;
  input.data = numbers;
  EXPECT(kuiper_load_memory(param, sizeof param - 1, empty_archive, sizeof empty_archive, NULL, &model) == KUIPER_OK);
  if (model == NULL) return;
  EXPECT(strcmp(kuiper_output_name(model, 0), "pnnx_output_0") == 0);
  EXPECT(strcmp(kuiper_output_name(model, 1), "pnnx_output_1") == 0);
  EXPECT(kuiper_output_name(model, 2) == NULL && kuiper_output_name(NULL, 0) == NULL);
  EXPECT(kuiper_get_output_by_name(model, "pnnx_output_0", 0, &array) == KUIPER_ERROR_STATE);
  EXPECT(kuiper_get_output_by_name(model, "nobody", 0, &array) == KUIPER_ERROR_INPUT);
  EXPECT(strstr(kuiper_last_error(), "'nobody', it has 'pnnx_output_0', 'pnnx_output_1'") != NULL);
  EXPECT(kuiper_get_output_by_name(model, NULL, 0, &array) == KUIPER_ERROR_INPUT);

  EXPECT(kuiper_set_input(model, "pnnx_input_0", &input) == KUIPER_OK && kuiper_run(model) == KUIPER_OK);
  EXPECT(kuiper_output_count(model) == 3);
  EXPECT(kuiper_get_output_by_name(model, "pnnx_output_0", 0, &array) == KUIPER_OK);
  EXPECT(array.rank == 2 && ((const float*)array.data)[0] == 1);
  EXPECT(kuiper_get_output_by_name(model, "pnnx_output_0", 1, &array) == KUIPER_OK);
  EXPECT(((const float*)array.data)[0] == -1);
  EXPECT(kuiper_get_output_by_name(model, "pnnx_output_0", 2, &array) == KUIPER_ERROR_INPUT);
  EXPECT(strstr(kuiper_last_error(), "'pnnx_output_0'") != NULL);
  EXPECT(kuiper_get_output_by_name(model, "pnnx_output_1", 0, &array) == KUIPER_OK);
  EXPECT(((const float*)array.data)[5] == -6);
  EXPECT(kuiper_get_output_by_name(model, "pnnx_output_1", 1, &array) == KUIPER_ERROR_INPUT);
  kuiper_free(model);
}

static void TestPrecision(const char* param, const char* bin) {
  kuiper_options options;
  kuiper_model* model = NULL;
  memset(&options, 0, sizeof options);
  options.size = sizeof options;
  options.precision = "medium";
  EXPECT(kuiper_load(param, bin, &options, &model) == KUIPER_OK);
  kuiper_free(model);
  model = NULL;
  options.precision = "exact";
  EXPECT(kuiper_load(param, bin, &options, &model) == KUIPER_ERROR_ARGUMENT);
  EXPECT(strstr(kuiper_last_error(), "expected highest, high or medium") != NULL);
  EXPECT(model == NULL);
}

/* The files of the cache stay in the folder of the test. */
static void TestCache(const char* param, const char* bin) {
  kuiper_options options;
  int start;
  memset(&options, 0, sizeof options);
  options.size = sizeof options;
  options.cache_directory = "c_interface_test.cache";
  for (start = 0; start < 2; ++start) {
    kuiper_model* model = NULL;
    EXPECT(kuiper_load(param, bin, &options, &model) == KUIPER_OK);
    if (model != NULL) TestRuns(model);
    kuiper_free(model);
  }
}

/* The first element of the only output of a run on `value`. */
static float RunOnValue(kuiper_model* model, float value) {
  static const int64_t shape[] = {1, 4};
  float elements[4];
  kuiper_array array = {KUIPER_FLOAT32, 2, shape, elements};
  int i;
  for (i = 0; i < 4; ++i) elements[i] = value;
  EXPECT(kuiper_set_input(model, "x", &array) == KUIPER_OK);
  EXPECT(kuiper_run(model) == KUIPER_OK);
  EXPECT(kuiper_output_count(model) == 1);
  EXPECT(kuiper_get_output(model, 0, &array) == KUIPER_OK);
  return ((const float*)array.data)[0];
}

/* Two handles whose states are 1.75 and 1. */
static void TestTogether(kuiper_model* model, kuiper_model* clone) {
  kuiper_model* both[] = {model, clone};
  kuiper_model* twice[] = {model, model};
  kuiper_model* hole[] = {model, NULL};
  kuiper_run_options options;
  static const int64_t shape[] = {1, 4};
  const float ones[] = {1, 1, 1, 1};
  const kuiper_array input = {KUIPER_FLOAT32, 2, shape, ones};
  kuiper_array array;
  EXPECT(kuiper_set_input(model, "x", &input) == KUIPER_OK);
  EXPECT(kuiper_set_input(clone, "x", &input) == KUIPER_OK);
  EXPECT(kuiper_run_together(both, 2, NULL) == KUIPER_OK);
  EXPECT(kuiper_get_output(model, 0, &array) == KUIPER_OK);
  EXPECT(((const float*)array.data)[3] == 1.875F);
  EXPECT(kuiper_get_output(clone, 0, &array) == KUIPER_OK);
  EXPECT(((const float*)array.data)[3] == 1.5F);
  EXPECT(kuiper_run_together(twice, 2, NULL) == KUIPER_ERROR_STATE);
  EXPECT(strstr(kuiper_last_error(), "session 1: the session is in the list twice") != NULL);
  EXPECT(kuiper_output_count(model) == 0);
  EXPECT(kuiper_run_together(hole, 2, NULL) == KUIPER_ERROR_INPUT);
  EXPECT(strstr(kuiper_last_error(), "models[1]") != NULL);
  EXPECT(kuiper_run_together(NULL, 1, NULL) == KUIPER_ERROR_INPUT);
  EXPECT(kuiper_run_together(NULL, 0, NULL) == KUIPER_OK);
  kuiper_cancel(model);
  EXPECT(kuiper_run_together(both, 2, NULL) == KUIPER_ERROR_CANCELLED);
  memset(&options, 0, sizeof options);
  options.size = sizeof options;
  options.max_seconds = -1;
  EXPECT(kuiper_run_together(both, 2, &options) == KUIPER_ERROR_DEADLINE);
  EXPECT(kuiper_run_together(both, 2, NULL) == KUIPER_OK);
  EXPECT(kuiper_get_output(clone, 0, &array) == KUIPER_OK);
  EXPECT(((const float*)array.data)[0] == 1.75F);
}

/* The output and the state are h/2 + x. */
static void TestStates(void) {
  static const char param[] =
      "7767517\n6 4\n"
      "pnnx.Input x 0 1 x #x=(1,4)f32\n"
      "pnnx.Input h 0 1 h state=1 #h=(1,4)f32\n"
      "pnnx.Expression next 2 1 h x n expr=add(mul(@0,0.5),@1) #n=(1,4)f32\n"
      "pnnx.Expression same 1 1 n y expr=mul(@0,1.0) #y=(1,4)f32\n"
      "pnnx.Output out 1 0 y\n"
      "pnnx.Output next_h 1 0 n\n";
  static const char no_weights[22] = {'P', 'K', 5, 6};
  static const char file[] = "c_interface_test.state";
  kuiper_model* model = NULL;
  kuiper_model* clone = NULL;
  kuiper_state* state = NULL;
  EXPECT(kuiper_load_memory(param, sizeof param - 1, no_weights, sizeof no_weights, NULL, &model) == KUIPER_OK);
  if (model == NULL) return;
  EXPECT(kuiper_input_count(model) == 1);
  EXPECT(kuiper_session_state_count(model) == 1);
  EXPECT(strcmp(kuiper_session_state_name(model, 0), "h") == 0);
  EXPECT(kuiper_session_state_name(model, 1) == NULL);
  EXPECT(kuiper_output_name(model, 1) == NULL);
  EXPECT(RunOnValue(model, 1) == 1);
  EXPECT(RunOnValue(model, 1) == 1.5F);
  EXPECT(kuiper_session_snapshot(model, &state) == KUIPER_OK);
  EXPECT(kuiper_session_save(model, file) == KUIPER_OK);
  EXPECT(RunOnValue(model, 1) == 1.75F);
  EXPECT(kuiper_session_restore(model, state) == KUIPER_OK);
  EXPECT(RunOnValue(model, 1) == 1.75F);
  EXPECT(kuiper_clone(model, &clone) == KUIPER_OK);
  EXPECT(RunOnValue(clone, 1) == 1);
  EXPECT(kuiper_session_load(clone, file) == KUIPER_OK);
  EXPECT(RunOnValue(clone, 1) == 1.75F);
  EXPECT(kuiper_session_reset(clone) == KUIPER_OK);
  EXPECT(RunOnValue(clone, 1) == 1);
  TestTogether(model, clone);
  EXPECT(kuiper_session_length(model) == 0);
  EXPECT(kuiper_session_truncate(model, 0) == KUIPER_ERROR_STATE);
  EXPECT(strstr(kuiper_last_error(), "state 'h' is replaced in each run") != NULL);
  EXPECT(kuiper_session_load(model, "no such file") == KUIPER_ERROR_FILE);
  EXPECT(kuiper_session_restore(model, NULL) == KUIPER_ERROR_INPUT);
  kuiper_state_free(state);
  EXPECT(kuiper_session_snapshot(NULL, &state) == KUIPER_ERROR_INPUT);
  EXPECT(state == NULL);
  kuiper_state_free(NULL);
  kuiper_free(clone);
  kuiper_free(model);
  remove(file);
}

/* The output is the sum of the last elements: those of the window and the run's own. */
static void TestWindow(void) {
  static const char param[] =
      "7767517\n6 5\n"
      "pnnx.Input x 0 1 x #x=(1,4)f32\n"
      "pnnx.Input past 0 1 p #p=(?,4)f32\n"
      "torch.cat join 2 1 p x k dim=0 #k=(?,4)f32\n"
      "torch.sum total 1 1 k s dim=(0) keepdim=False #s=(4)f32\n"
      "pnnx.Output out 1 0 s\n"
      "pnnx.Output all 1 0 k\n";
  static const char no_weights[22] = {'P', 'K', 5, 6};
  kuiper_named_state state = {"all", "past", 3, 0};
  kuiper_options options;
  kuiper_model* model = NULL;
  int i;
  memset(&options, 0, sizeof options);
  options.size = sizeof options;
  options.states = &state;
  options.state_count = 1;
  EXPECT(kuiper_load_memory(param, sizeof param - 1, no_weights, sizeof no_weights, &options, &model) == KUIPER_OK);
  if (model == NULL) return;
  EXPECT(kuiper_session_state_count(model) == 1);
  for (i = 1; i <= 20; ++i) {
    float expected = 0;
    int k;
    for (k = i; k > 0 && k >= i - 3; --k) expected += (float)k;
    EXPECT(RunOnValue(model, (float)i) == expected);
    EXPECT(kuiper_session_length(model) == (i < 3 ? i : 3));
  }
  EXPECT(kuiper_session_truncate(model, 1) == KUIPER_ERROR_STATE);
  EXPECT(strstr(kuiper_last_error(), "state 'past' keeps the last 3 elements, has dropped those before them") != NULL);
  kuiper_free(model);
  model = NULL;
  state.window = -2;
  EXPECT(kuiper_load_memory(param, sizeof param - 1, no_weights, sizeof no_weights, &options, &model) ==
         KUIPER_ERROR_ARGUMENT);
  EXPECT(strstr(kuiper_last_error(), "state 'past' has a window of -2 elements, expected 1 or more") != NULL);
  state.window = 3;
  state.reserved = 1;
  EXPECT(kuiper_load_memory(param, sizeof param - 1, no_weights, sizeof no_weights, &options, &model) ==
         KUIPER_ERROR_INPUT);
  EXPECT(strstr(kuiper_last_error(), "kuiper_options.states[0].reserved is not 0") != NULL);
  state.input = NULL;
  EXPECT(kuiper_load_memory(param, sizeof param - 1, no_weights, sizeof no_weights, &options, &model) ==
         KUIPER_ERROR_INPUT);
  EXPECT(strstr(kuiper_last_error(), "kuiper_options.states[0].input is null") != NULL);
  options.states = NULL;
  EXPECT(kuiper_load_memory(param, sizeof param - 1, no_weights, sizeof no_weights, &options, &model) ==
         KUIPER_ERROR_INPUT);
  EXPECT(strstr(kuiper_last_error(), "kuiper_options.states is null, expected 1 states") != NULL);
}

int main(void) {
  static const char param[] = KUIPER_SOURCE_DIR "/tmp/line_reader.pnnx.param";
  static const char bin[] = KUIPER_SOURCE_DIR "/tmp/line_reader.pnnx.bin";
  kuiper_model* model = NULL;
  kuiper_options options;
  kuiper_array info;
  int i;
  for (i = 0; i < kPixels; ++i) pixels[i] = (float)(i % 17) / 8.0F - 1.0F;
  EXPECT(strcmp(kuiper_version(), KUIPER_VERSION) == 0);

  memset(&options, 0, sizeof options);
  options.size = sizeof options;
  options.max_memory_bytes = 1000;
  EXPECT(kuiper_load(param, bin, &options, &model) == KUIPER_ERROR_RESOURCE);
  options.max_memory_bytes = 0;
  options.num_threads = 1;
  EXPECT(kuiper_load(param, bin, &options, &model) == KUIPER_OK);
  if (model == NULL) return 1;
  EXPECT(kuiper_input_count(model) == 1);
  EXPECT(kuiper_get_input(model, 0, &info) == KUIPER_OK);
  EXPECT(info.type == KUIPER_FLOAT32 && info.rank == 4 && info.shape[1] == 1 && info.shape[3] == -1 &&
         info.data == NULL);
  TestMistakes(model, param);
  TestRuns(model);
  TestRunOptions(model);
  kuiper_free(model);
  TestMemory(param, bin);
  TestOptions(param, bin);
  TestPrecision(param, bin);
  TestCache(param, bin);
  TestSwitches(param, bin);
  TestOutputNames();
  TestStates();
  TestWindow();
  if (failures == 0) puts("[  PASSED  ] the C interface");
  return failures == 0 ? 0 : 1;
}
