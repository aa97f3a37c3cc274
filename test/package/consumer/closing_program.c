/* SPDX-License-Identifier: MIT */
/* The same as c_program.c, by a shared library that is opened, used by two threads and closed again, three times; then
 * the program forks and ends as any other. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <kuiper_infer/kuiper_c.h>
#include <sys/types.h>
#include <sys/wait.h>

static void fail(const char* what) {
  fprintf(stderr, "%s\n", what);
  exit(1);
}

static void* find(void* library, const char* name) {
  void* const symbol = dlsym(library, name);
  if (symbol == NULL) fail(dlerror());
  return symbol;
}

static double run_once(const char* path, const char* prefix) {
  static float pixels[32 * 96];
  static const int64_t shape[] = {1, 1, 32, 96};
  char param[1024];
  char bin[1024];
  kuiper_options options = {0};
  kuiper_model* model = NULL;
  kuiper_array image = {KUIPER_FLOAT32, 4, shape, pixels};
  kuiper_array scores;
  double sum = 0;
  int64_t count = 1;
  int64_t i;
  void* const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) fail(dlerror());
  kuiper_status (*load)(const char*, const char*, const kuiper_options*, kuiper_model**);
  kuiper_status (*set_input)(kuiper_model*, const char*, const kuiper_array*);
  kuiper_status (*run)(kuiper_model*);
  kuiper_status (*get_output)(const kuiper_model*, size_t, kuiper_array*);
  const char* (*last_error)(void);
  void (*release)(kuiper_model*);
  *(void**)&load = find(library, "kuiper_load");
  *(void**)&set_input = find(library, "kuiper_set_input");
  *(void**)&run = find(library, "kuiper_run");
  *(void**)&get_output = find(library, "kuiper_get_output");
  *(void**)&last_error = find(library, "kuiper_last_error");
  *(void**)&release = find(library, "kuiper_free");
  for (i = 0; i < 32 * 96; ++i) pixels[i] = 1.0F;
  snprintf(param, sizeof param, "%s.pnnx.param", prefix);
  snprintf(bin, sizeof bin, "%s.pnnx.bin", prefix);
  options.size = sizeof options;
  options.num_threads = 2;
  if (load(param, bin, &options, &model) != KUIPER_OK || set_input(model, "pnnx_input_0", &image) != KUIPER_OK ||
      run(model) != KUIPER_OK || get_output(model, 0, &scores) != KUIPER_OK) {
    fail(last_error());
  }
  for (i = 0; i < scores.rank; ++i) count *= scores.shape[i];
  for (i = 0; i < count; ++i) sum = (float)sum + ((const float*)scores.data)[i];
  release(model);
  dlclose(library);
  return sum;
}

int main(int argc, char** argv) {
  double sum;
  int status = 0;
  pid_t child;
  if (argc != 2) return 2;
  alarm(60);
  sum = run_once(KUIPER_LIBRARY, argv[1]);
  if (run_once(KUIPER_LIBRARY, argv[1]) != sum || run_once(KUIPER_LIBRARY, argv[1]) != sum) fail("another result");
  child = fork();
  if (child == 0) _exit(0);
  if (waitpid(child, &status, 0) != child || status != 0) fail("the child did not end well");
  printf("%g\n", sum);
  return 0;
}
