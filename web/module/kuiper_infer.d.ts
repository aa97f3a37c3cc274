// SPDX-License-Identifier: MIT
/** The module reads only bytes that it is given or addresses that it is asked to read. */

export type ElementType =
  | "float32" | "float64" | "float16" | "bfloat16" | "int8" | "uint8" | "int16" | "int32" | "int64" | "bool"
  | "complex64" | "complex128" | "complex32";

/**
 * Elements in memory: those of float16, bfloat16 and complex32 as the bits of 16-bit numbers, complex numbers as real
 * and imaginary part in turn, bools as bytes.
 */
export type Elements =
  | Float32Array | Float64Array | Uint16Array | Int8Array | Uint8Array | Int16Array | Int32Array | BigInt64Array;

/** A row-major array. */
export interface NdArray {
  data: Elements;
  shape: number[];
  type: ElementType;
}

/** An input as the file records it; a free extent is -1. */
export interface InputInfo {
  name: string;
  shape: number[];
  type: ElementType;
}

/** The contents of a file, or where they are: a URL or, in Node, a path. */
export type Source = string | URL | Blob | ArrayBuffer | ArrayBufferView;

/** An array, whose type follows from its elements unless it is given, or elements alone in the recorded shape. */
export type InputValue = Elements | {data: Elements; shape?: number[]; type?: ElementType};

export interface LoadOptions {
  /** The most bytes that the model may take; 0: no limit. */
  maxMemoryBytes?: number;
  /** Of a run, in the module with threads; 0: one for each core. The other module has one. */
  threads?: number;
  /** Of products; "highest" if it is not given. */
  precision?: "highest" | "high" | "medium";
  /** The most elements that a growing state may have along its axis; 0: no limit. */
  maxStateLength?: number;
}

/** What a file holds, and what a run takes. Sizes of a run are null as long as an input's shape is free. */
export interface Description {
  inputs: {name: string; type: ElementType | null; shape: number[] | null}[];
  outputs: {name: string; type: ElementType | null; shape: number[] | null}[];
  /** How many operators of each type there are. */
  operators: Record<string, number>;
  parameters: number;
  weight_bytes: number;
  multiply_adds: number | null;
  planned_bytes: number | null;
  warnings: string[];
}

/** What load, run and reset throw. The text is the one that the library gives on other platforms. */
export class KuiperError extends Error {
  readonly code:
    | "file" | "graph" | "unsupported" | "argument" | "shape" | "input" | "state" | "resource" | "cancelled" | "deadline"
    | "unknown";
}

/** A loaded model with inputs, outputs, memory and states of its own. */
export class Model {
  /** Reads and plans a model from the two files that the converter writes. */
  static load(param: Source, bin: Source, options?: LoadOptions): Promise<Model>;
  readonly inputs: InputInfo[];
  readonly outputNames: string[];
  /**
   * Runs on inputs by name, of which copies are made, and returns copies of all outputs in the model's order. An input
   * that is left out is that of the last run.
   */
  run(inputs: Record<string, InputValue>): NdArray[];
  describe(): Description;
  /**
   * Runs the model `runs` times on the inputs of its last run, and returns the page that `kuiper report` writes, as HTML that
   * needs no other file: the planned graph, and time and memory of each step. `name` is that of the .param file.
   */
  report(name?: string, runs?: number): string;
  /** Gives all states their first values. */
  reset(): void;
  /** Returns the model's memory. Later calls throw a KuiperError, but dispose may be called again. */
  dispose(): void;
}

/** Says where kuiper_infer.wasm is, if it isn't beside kuiper_infer.mjs. Has to come before any other call. */
export function setWasm(source: Source): void;

/** The library's version, such as "1.2.3". */
export function version(): Promise<string>;
