// SPDX-License-Identifier: MIT
// What kuiper_infer.mjs exports (kuiper_infer.d.ts says what it does). The linker puts this behind the function `Module`,
// which makes an instance of the WebAssembly module.

/** For each element type its number in the C interface, its elements in JavaScript, and how many of those make one. */
const TYPES = {
  float32: [1, Float32Array, 1],
  float64: [2, Float64Array, 1],
  float16: [3, Uint16Array, 1],
  int32: [4, Int32Array, 1],
  int64: [5, BigInt64Array, 1],
  int16: [6, Int16Array, 1],
  int8: [7, Int8Array, 1],
  uint8: [8, Uint8Array, 1],
  bool: [9, Uint8Array, 1],
  complex64: [10, Float32Array, 2],
  complex128: [11, Float64Array, 2],
  complex32: [12, Uint16Array, 2],
  bfloat16: [13, Uint16Array, 1],
};
const TYPE_NAMES = Object.fromEntries(Object.entries(TYPES).map(([name, [number]]) => [number, name]));

const STATUSES = [
  "ok", "file", "graph", "unsupported", "argument", "shape", "input", "state", "resource", "cancelled", "deadline", "unknown",
];

/** The sizes of the C interface's structs on a machine whose pointers have 32 bits, and where their members lie. */
const ARRAY = {size: 16, type: 0, rank: 4, shape: 8, data: 12};
const OPTIONS = {size: 64, maxMemoryBytes: 8, threads: 16, precision: 40, maxStateLength: 48};

export class KuiperError extends Error {
  constructor(code, text) {
    super(text);
    this.name = "KuiperError";
    this.code = code;
  }
}

let instance;
let wasm;

/** Says where the WebAssembly module is, if it isn't beside this file. */
export function setWasm(source) {
  wasm = source;
}

/** The one instance of the WebAssembly module, made when it is first needed. */
function core() {
  instance ??= readBytes(wasm ?? new URL("./kuiper_infer.wasm", import.meta.url)).then((bytes) => {
    if (!WebAssembly.validate(bytes)) {
      throw new KuiperError(
        "unsupported",
        "kuiper_infer.wasm is cut, or this program's WebAssembly lacks SIMD or exceptions",
      );
    }
    return Module({wasmBinary: bytes});
  });
  return instance;
}

/** The bytes of a source: its own, or those at its address. */
async function readBytes(source) {
  if (source instanceof ArrayBuffer) return new Uint8Array(source);
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  if (typeof Blob !== "undefined" && source instanceof Blob) return new Uint8Array(await source.arrayBuffer());
  const address = String(source);
  if (typeof process === "object" && process.versions?.node && !/^https?:/.test(address)) {
    const {readFile} = await import("node:fs/promises");
    return readFile(address.startsWith("file:") ? new URL(address) : address).catch((error) => {
      throw new KuiperError("file", `${address} cannot be read: ${error.code}`);
    });
  }
  const answer = await fetch(address);
  if (!answer.ok) throw new KuiperError("file", `${address} cannot be read: ${answer.status} ${answer.statusText}`);
  return new Uint8Array(await answer.arrayBuffer());
}

/** Memory of the module, freed when `use` ends. */
function withMemory(module, byteCount, use) {
  const memory = allocate(module, byteCount);
  try {
    return use(memory);
  } finally {
    module._free(memory);
  }
}

function allocate(module, byteCount) {
  const memory = module._malloc(Math.max(byteCount, 1));
  if (memory === 0) throw new KuiperError("resource", `there is not enough memory for ${byteCount} bytes`);
  return memory >>> 0;
}

function withText(module, text, use) {
  const count = module.lengthBytesUTF8(text) + 1;
  return withMemory(module, count, (memory) => {
    module.stringToUTF8(text, memory, count);
    return use(memory);
  });
}

function check(module, status) {
  if (status !== 0) throw new KuiperError(STATUSES[status], module.UTF8ToString(module._kuiper_last_error()));
}

/** Reads a kuiper_array: type and shape, and a copy of the elements if it has some. */
function readArray(module, memory) {
  const view = new DataView(module.HEAPU8.buffer);
  const type = TYPE_NAMES[view.getInt32(memory + ARRAY.type, true)];
  const rank = view.getInt32(memory + ARRAY.rank, true);
  const extents = view.getUint32(memory + ARRAY.shape, true);
  const shape = Array.from({length: rank}, (_, axis) => Number(view.getBigInt64(extents + 8 * axis, true)));
  const elements = view.getUint32(memory + ARRAY.data, true);
  if (elements === 0) return {type, shape};
  const [, Elements, parts] = TYPES[type];
  const count = shape.reduce((product, extent) => product * extent, parts);
  // A copy of bytes, because a copy of memory that threads share would be shared as well.
  const bytes = module.HEAPU8.slice(elements, elements + count * Elements.BYTES_PER_ELEMENT);
  return {type, shape, data: new Elements(bytes.buffer)};
}

export class Model {
  #module;
  #handle;
  #inputs = new Map();  // for each input that was set, its memory, which begins with a kuiper_array, and its name's there

  constructor(module, handle) {
    this.#module = module;
    this.#handle = handle;
  }

  static async load(param, bin, options = {}) {
    const [module, paramBytes, binBytes] = await Promise.all([core(), readBytes(param), readBytes(bin)]);
    const copy = (bytes, use) =>
      withMemory(module, bytes.length, (memory) => {
        module.HEAPU8.set(bytes, memory);
        return use(memory);
      });
    const handle = withText(module, options.precision ?? "", (precision) =>
      withMemory(module, OPTIONS.size + 4, (memory) => {
        module.HEAPU8.fill(0, memory, memory + OPTIONS.size + 4);
        const view = new DataView(module.HEAPU8.buffer, memory);
        view.setUint32(0, OPTIONS.size, true);
        view.setBigInt64(OPTIONS.maxMemoryBytes, BigInt(options.maxMemoryBytes ?? 0), true);
        view.setInt32(OPTIONS.threads, options.threads ?? 0, true);
        view.setUint32(OPTIONS.precision, precision, true);
        view.setBigInt64(OPTIONS.maxStateLength, BigInt(options.maxStateLength ?? 0), true);
        const target = memory + OPTIONS.size;
        return copy(paramBytes, (text) =>
          copy(binBytes, (weights) => {
            check(module, module._kuiper_load_memory(text, paramBytes.length, weights, binBytes.length, memory, target));
            return new DataView(module.HEAPU8.buffer).getUint32(target, true);
          }),
        );
      }),
    );
    return new Model(module, handle);
  }

  #require() {
    if (this.#handle === 0) throw new KuiperError("state", "the model was disposed of");
    return this.#module;
  }

  get inputs() {
    const module = this.#require();
    return Array.from({length: module._kuiper_input_count(this.#handle)}, (_, index) => {
      const name = module.UTF8ToString(module._kuiper_input_name(this.#handle, index));
      return withMemory(module, ARRAY.size, (memory) => {
        check(module, module._kuiper_get_input(this.#handle, index, memory));
        return {name, ...readArray(module, memory)};
      });
    });
  }

  get outputNames() {
    const module = this.#require();
    const names = [];
    for (let name; (name = module._kuiper_output_name(this.#handle, names.length)) !== 0; ) names.push(module.UTF8ToString(name));
    return names;
  }

  run(inputs) {
    const module = this.#require();
    for (const [name, value] of Object.entries(inputs)) this.#setInput(name, value);
    check(module, module._kuiper_run(this.#handle));
    return Array.from({length: module._kuiper_output_count(this.#handle)}, (_, index) =>
      withMemory(module, ARRAY.size, (memory) => {
        check(module, module._kuiper_get_output(this.#handle, index, memory));
        const array = readArray(module, memory);
        return {...array, data: array.data ?? new TYPES[array.type][1](0)};
      }),
    );
  }

  /** The answer of a function of module.cpp, which writes where its text is. */
  #ask(call) {
    const module = this.#module;
    return withMemory(module, 4, (target) => {
      const status = call(target);
      const text = module.UTF8ToString(new DataView(module.HEAPU8.buffer).getUint32(target, true));
      if (status !== 0) throw new KuiperError(STATUSES[status], text);
      return text;
    });
  }

  describe() {
    const module = this.#require();
    return JSON.parse(this.#ask((target) => module._kuiper_describe(this.#handle, target)));
  }

  report(name = "", runs = 10) {
    const module = this.#require();
    const inputs = [...this.#inputs.values()];
    return withText(module, name, (title) =>
      withMemory(module, 8 * inputs.length, (lists) => {
        const view = new DataView(module.HEAPU8.buffer);
        inputs.forEach(({text, memory}, i) => {
          view.setUint32(lists + 4 * i, text, true);
          view.setUint32(lists + 4 * (inputs.length + i), memory, true);
        });
        return this.#ask((target) =>
          module._kuiper_report(this.#handle, title, inputs.length, lists, lists + 4 * inputs.length, runs, target),
        );
      }),
    );
  }

  reset() {
    check(this.#require(), this.#module._kuiper_session_reset(this.#handle));
  }

  dispose() {
    if (this.#handle === 0) return;
    this.#module._kuiper_free(this.#handle);
    for (const {memory} of this.#inputs.values()) this.#module._free(memory);
    this.#inputs.clear();
    this.#handle = 0;
  }

  /** Copies an input into memory of the module, which the run reads. */
  #setInput(name, value) {
    const module = this.#module;
    const {type, shape, data} = this.#describe(name, value);
    const [number, , parts] = TYPES[type];
    const count = shape.reduce((product, extent) => product * extent, parts);
    if (count !== data.length) {
      throw new KuiperError("input", `input '${name}' has ${data.length} elements, expected ${count} for shape [${shape}]`);
    }
    // The struct, the extents, the name, and from a multiple of 64 on the elements.
    const nameBytes = module.lengthBytesUTF8(name) + 1;
    const afterShape = ARRAY.size + 8 * shape.length;
    const elements = Math.ceil((afterShape + nameBytes) / 64) * 64;
    const memory = allocate(module, elements + data.byteLength);
    const text = memory + afterShape;
    try {
      const view = new DataView(module.HEAPU8.buffer, memory);
      view.setInt32(ARRAY.type, number, true);
      view.setInt32(ARRAY.rank, shape.length, true);
      view.setUint32(ARRAY.shape, memory + ARRAY.size, true);
      view.setUint32(ARRAY.data, memory + elements, true);
      shape.forEach((extent, axis) => view.setBigInt64(ARRAY.size + 8 * axis, BigInt(extent), true));
      module.HEAPU8.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), memory + elements);
      module.stringToUTF8(name, text, nameBytes);
      check(module, module._kuiper_set_input(this.#handle, text, memory));
    } catch (error) {
      module._free(memory);
      throw error;
    }
    module._free(this.#inputs.get(name)?.memory ?? 0);
    this.#inputs.set(name, {memory, text});
  }

  /** Type, shape and elements of a value that the caller gave. */
  #describe(name, value) {
    const data = ArrayBuffer.isView(value) ? value : value?.data;
    const candidates = Object.keys(TYPES).filter((type) => data instanceof TYPES[type][1]);
    if (candidates.length === 0) {
      throw new KuiperError("input", `input '${name}' has no elements in a typed array, expected one or {data, shape, type}`);
    }
    const recorded = this.inputs.find((input) => input.name === name);
    const type = value.type ?? (candidates.includes(recorded?.type) ? recorded.type : candidates[0]);
    if (!candidates.includes(type)) {
      throw new KuiperError("input", `input '${name}' of type ${type} has elements in a ${data.constructor.name}, expected ${TYPES[type] ? TYPES[type][1].name : "one of the types " + Object.keys(TYPES).join(", ")}`);
    }
    const shape = Array.from(value.shape ?? recorded?.shape ?? [data.length]);
    if (!shape.every((extent) => Number.isSafeInteger(extent) && extent >= 0)) {
      throw new KuiperError("input", `input '${name}' has shape [${shape}], expected extents from 0 on; give {data, shape}`);
    }
    return {type, shape, data};
  }
}

export async function version() {
  const module = await core();
  return module.UTF8ToString(module._kuiper_version());
}
