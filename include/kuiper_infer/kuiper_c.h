/* SPDX-License-Identifier: MIT */
#ifndef KUIPER_INFER_KUIPER_C_H_
#define KUIPER_INFER_KUIPER_C_H_

/* The library for C and for languages that call C:
 *
 *     kuiper_model* model;
 *     if (kuiper_load("m.pnnx.param", "m.pnnx.bin", NULL, &model) != KUIPER_OK) puts(kuiper_last_error());
 *     int64_t shape[] = {1, 3, 224, 224};
 *     kuiper_array image = {KUIPER_FLOAT32, 4, shape, pixels};
 *     kuiper_array scores;
 *     kuiper_set_input(model, kuiper_input_name(model, 0), &image);
 *     kuiper_run(model);
 *     kuiper_get_output(model, 0, &scores);
 *     kuiper_free(model);
 *
 * A handle is used by one thread at a time; kuiper_clone makes further handles that share the weights. No call ends the
 * process, and no C++ exception leaves a call. */

#include <stddef.h>
#include <stdint.h>

#if defined(KUIPER_SHARED)
#define KUIPER_C_API __attribute__((visibility("default")))
#else
#define KUIPER_C_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Outcome of a call; kuiper_last_error has the text. The codes are those of kuiper_infer::ErrorCode. */
typedef enum kuiper_status {
  KUIPER_OK = 0,
  KUIPER_ERROR_FILE = 1,        /* a file is absent or not in the expected format */
  KUIPER_ERROR_GRAPH = 2,       /* the graph is inconsistent */
  KUIPER_ERROR_UNSUPPORTED = 3, /* an operator is unknown */
  KUIPER_ERROR_ARGUMENT = 4,    /* an operator's parameter is wrong */
  KUIPER_ERROR_SHAPE = 5,       /* shapes that do not fit together */
  KUIPER_ERROR_INPUT = 6,       /* a wrong name, type, rank or index was given */
  KUIPER_ERROR_STATE = 7,       /* a call at the wrong time, such as an output before the first run */
  KUIPER_ERROR_RESOURCE = 8,    /* more memory than allowed or available */
  KUIPER_ERROR_CANCELLED = 9,   /* kuiper_cancel was called */
  KUIPER_ERROR_DEADLINE = 10,   /* the time allowed has passed */
  KUIPER_ERROR_UNKNOWN = 11
} kuiper_status;

/* Element types, with the numbers of the PNNX format. */
typedef enum kuiper_type {
  KUIPER_FLOAT32 = 1,
  KUIPER_FLOAT64 = 2,
  KUIPER_FLOAT16 = 3,
  KUIPER_INT32 = 4,
  KUIPER_INT64 = 5,
  KUIPER_INT16 = 6,
  KUIPER_INT8 = 7,
  KUIPER_UINT8 = 8,
  KUIPER_BOOL = 9,
  KUIPER_COMPLEX64 = 10,
  KUIPER_COMPLEX128 = 11,
  KUIPER_COMPLEX32 = 12,
  KUIPER_BFLOAT16 = 13
} kuiper_type;

/* A row-major array. */
typedef struct kuiper_array {
  int32_t type; /* a kuiper_type */
  int32_t rank;
  const int64_t* shape; /* rank extents; a free extent of a model's input is -1 */
  const void* data;     /* the elements */
} kuiper_array;

/* A state that a program names: kuiper_infer::NamedState. */
typedef struct kuiper_named_state {
  const char* output; /* its name, or its number if the items of tuples and lists are counted */
  const char* input;  /* its name */
  int64_t window;     /* most elements that the state keeps along its axis; 0: as the file says, otherwise all */
  int64_t reserved;   /* 0 */
} kuiper_named_state;

/* Options begin with their size, so that they can grow. A program that was compiled with an older header gives fewer
 * bytes, and gets the defaults of the missing options. A program that was compiled with a newer header may give more
 * bytes, as long as those that this library doesn't know are zero. Zero means the default, so a program starts with
 *
 *     kuiper_options options = {sizeof options};
 */

/* How a model is loaded and planned: kuiper_infer::BuildOptions, whose members these are by name. */
typedef struct kuiper_options {
  size_t size;              /* sizeof(kuiper_options) */
  int64_t max_memory_bytes; /* most bytes that the model may take, copies of its outputs included; 0: no limit */
  int32_t num_threads;      /* threads of its runs; 0: one for each core that the process may use */
  int32_t measure_methods;  /* not 0: methods of convolutions are chosen by measurement */
  /* Switches for finding a fault or measuring. 1: on, -1: off, 0: as the environment variable says, otherwise on. */
  int32_t fuse_operators;           /* fuses operators; KUIPER_FUSION */
  int32_t place_results;            /* operators write directly into a concatenation's result; KUIPER_PLACEMENT */
  const char* convolution_method;   /* "rows", ... or "auto"; null or "": KUIPER_CONVOLUTION, otherwise "auto" */
  const char* cache_directory;      /* a folder that makes the next start faster; null or "": none */
  const char* precision;            /* of products: "highest", "high" or "medium"; null or "": "highest" */
  int64_t max_state_length;         /* most elements that a growing state may have along its axis; 0: no limit */
  const kuiper_named_state* states; /* states in addition to those that the file names; may be null */
  size_t state_count;               /* of `states` */
  const char* state_type; /* of keys and values between runs: "float32", "bfloat16", "int8"; null, "": "auto" */
} kuiper_options;

/* Tells how far a run has come: `done` of `total` steps. `name` and `type` are those of the operator that was done
 * last. The thread that runs calls the function; the texts are valid during the call. */
typedef void (*kuiper_progress)(void* user, size_t done, size_t total, const char* name, const char* type);

/* Options of one run: kuiper_infer::RunOptions. To cancel a run, call kuiper_cancel. */
typedef struct kuiper_run_options {
  size_t size;              /* sizeof(kuiper_run_options) */
  double max_seconds;       /* after this time the run ends with KUIPER_ERROR_DEADLINE; 0: no limit */
  kuiper_progress progress; /* called after each step; may be null */
  void* user;               /* the first argument of progress */
  int32_t num_threads;      /* 0: the number in kuiper_options */
  int32_t reserved;         /* 0 */
} kuiper_run_options;

/* A handle on a loaded model: a session, with inputs, outputs, memory and states of its own. */
typedef struct kuiper_model kuiper_model;

/* The states of a session at one moment. */
typedef struct kuiper_state kuiper_state;

/* The library's version, such as "1.2.3". */
KUIPER_C_API const char* kuiper_version(void);

/* Why the last call of this thread that failed did so; empty if none has failed. Valid until the next failure. Of a
 * longer text it holds the first 4,095 bytes. */
KUIPER_C_API const char* kuiper_last_error(void);

/* Loads and plans a model. `options` may be null. The caller frees the handle by kuiper_free. Paths are UTF-8 on
 * Windows.
 */
KUIPER_C_API kuiper_status kuiper_load(const char* param_path, const char* bin_path, const kuiper_options* options,
                                       kuiper_model** model);
/* Loads and plans a model from the contents of its two files; neither is needed after the call. */
KUIPER_C_API kuiper_status kuiper_load_memory(const void* param_text, size_t param_size, const void* bin_bytes,
                                              size_t bin_size, const kuiper_options* options, kuiper_model** model);
/* Makes another handle on the same model for another thread, with inputs, outputs and memory of its own. */
KUIPER_C_API kuiper_status kuiper_clone(const kuiper_model* model, kuiper_model** clone);
/* Frees a handle; null is allowed. */
KUIPER_C_API void kuiper_free(kuiper_model* model);

/* The number of inputs of the model. */
KUIPER_C_API size_t kuiper_input_count(const kuiper_model* model);
/* The name of an input, valid as long as the handle; null for an index that does not exist. */
KUIPER_C_API const char* kuiper_input_name(const kuiper_model* model, size_t index);
/* An input's type and shape as recorded in the file; its data is null. Valid as long as the handle. */
KUIPER_C_API kuiper_status kuiper_get_input(const kuiper_model* model, size_t index, kuiper_array* array);

/* Sets an input. The array's memory stays the caller's: each run reads it in place, so it must outlive the runs. In an
 * array of KUIPER_BOOL any byte but 0 is true. */
KUIPER_C_API kuiper_status kuiper_set_input(kuiper_model* model, const char* name, const kuiper_array* array);
/* Runs on the inputs that are set. */
KUIPER_C_API kuiper_status kuiper_run(kuiper_model* model);
/* Runs for at most `seconds`. Zero, negative numbers and NaN expire at once; infinity never expires. */
KUIPER_C_API kuiper_status kuiper_run_for(kuiper_model* model, double seconds);
/* Runs with options; `options` may be null. */
KUIPER_C_API kuiper_status kuiper_run_with(kuiper_model* model, const kuiper_run_options* options);
/* Runs several handles on one model (kuiper_clone) at once, each on its own inputs and states, so that they share the
 * reading of weights: kuiper_infer::Session::RunTogether. `options` may be null; they hold for the run as a whole.
 * kuiper_cancel of the first handle ends the run. After an error the states of all handles are as before. */
KUIPER_C_API kuiper_status kuiper_run_together(kuiper_model* const* models, size_t count,
                                               const kuiper_run_options* options);
/* Ends the handle's present run, or its next one, between two operators. Any thread may call this while another thread
 * uses the handle. */
KUIPER_C_API void kuiper_cancel(kuiper_model* model);

/* The number of arrays that the last run gave, tuples flattened; 0 before the first run. */
KUIPER_C_API size_t kuiper_output_count(const kuiper_model* model);
/* An array that the last run gave. It belongs to the handle and is valid until the handle's next run. If it had to be
 * copied to be row-major, the copy counts in kuiper_options.max_memory_bytes. */
KUIPER_C_API kuiper_status kuiper_get_output(const kuiper_model* model, size_t index, kuiper_array* array);

/* The name of an output as the file has it, known before any run; null for an index that does not exist. */
KUIPER_C_API const char* kuiper_output_name(const kuiper_model* model, size_t index);
/* An array of the output of that name. `item` is 0, or counts the arrays of an output that is a tuple or a list. */
KUIPER_C_API kuiper_status kuiper_get_output_by_name(const kuiper_model* model, const char* name, size_t item,
                                                     kuiper_array* array);

/* States: outputs that are inputs of the next run (kuiper_infer::Session). They are neither among the inputs nor among
 * the outputs, but kuiper_set_input takes their names to set a first value, of which it makes a copy. Each handle has
 * its own. */

/* The number of states of the model. */
KUIPER_C_API size_t kuiper_session_state_count(const kuiper_model* model);
/* The name of a state's input, valid as long as the handle; null for an index that does not exist. */
KUIPER_C_API const char* kuiper_session_state_name(const kuiper_model* model, size_t index);
/* Gives all states their first values. */
KUIPER_C_API kuiper_status kuiper_session_reset(kuiper_model* model);
/* The number of elements of the first state that grows, at most its window if it has one; 0 if there is none. */
KUIPER_C_API int64_t kuiper_session_length(const kuiper_model* model);
/* Drops the last elements of all states that grow, so that `length` are left. Refused after a window has dropped
 * elements. */
KUIPER_C_API kuiper_status kuiper_session_truncate(kuiper_model* model, int64_t length);
/* Makes a copy of the states, which the caller frees by kuiper_state_free. */
KUIPER_C_API kuiper_status kuiper_session_snapshot(const kuiper_model* model, kuiper_state** state);
/* Sets the states to those of a snapshot of this handle or of another handle on the same model. */
KUIPER_C_API kuiper_status kuiper_session_restore(kuiper_model* model, const kuiper_state* state);
/* Writes the states to a file, or reads them. A file that is cut, altered or of another model is refused. */
KUIPER_C_API kuiper_status kuiper_session_save(const kuiper_model* model, const char* path);
KUIPER_C_API kuiper_status kuiper_session_load(kuiper_model* model, const char* path);
/* Frees a snapshot; null is allowed. */
KUIPER_C_API void kuiper_state_free(kuiper_state* state);

#ifdef __cplusplus
}
#endif

#endif
