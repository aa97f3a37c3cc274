// SPDX-License-Identifier: MIT
// The service's answers. Paths are relative, so that the page works below any path of a proxy.

import { decode, encode } from "./tensors.js";

const HEAD_LENGTH = "Inference-Header-Content-Length";

/** What a service says of a request that it does not answer. */
export class ServiceError extends Error {}

/** The response to a request, if it has one of the good statuses. */
async function ask(path, options = {}) {
  let response;
  try {
    response = await fetch(path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ServiceError("The service can't be reached.");
  }
  if (response.ok) return response;
  const text = await response.text();
  throw new ServiceError(told(text) ?? `The service answers ${response.status} ${response.statusText}.`);
}

/** The message of an error, in the form of either protocol. */
function told(text) {
  try {
    const { error } = JSON.parse(text);
    const message = typeof error === "string" ? error : error.message;
    return typeof message === "string" ? message : null;
  } catch {
    return null;
  }
}

export const getJson = async (path) => (await ask(path)).json();
export const getText = async (path) => (await ask(path)).text();
export const postJson = (path, body, signal) =>
  ask(path, { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" }, signal });

/** The path of a version of a model. */
export const modelPath = (name, version) =>
  `v2/models/${encodeURIComponent(name)}/versions/${encodeURIComponent(version)}`;

/** All versions that the service's folder holds. */
export const versions = async () => (await postJson("v2/repository/index", {})).json();

/** Runs a model. Inputs and outputs are {name, datatype, shape, data}, their data typed arrays. */
export async function infer(name, version, inputs) {
  const raw = inputs.map(({ data }) => encode(data));
  const described = inputs.map(({ name: input, datatype, shape }, i) =>
    ({ name: input, datatype, shape, parameters: { binary_data_size: raw[i].byteLength } }));
  const head = new TextEncoder().encode(JSON.stringify({ inputs: described, parameters: { binary_data_output: true } }));
  const response = await ask(`${modelPath(name, version)}/infer`,
    { method: "POST", body: new Blob([head, ...raw]), headers: { [HEAD_LENGTH]: String(head.length) } });
  const body = await response.arrayBuffer();
  const length = Number(response.headers.get(HEAD_LENGTH) ?? body.byteLength);
  const answer = JSON.parse(new TextDecoder().decode(body.slice(0, length)));
  let at = length;
  return answer.outputs.map(({ name: output, datatype, shape, data, parameters }) => {
    if (data) return { name: output, datatype, shape, data };
    const size = parameters.binary_data_size;
    at += size;
    return { name: output, datatype, shape, data: decode(datatype, body.slice(at - size, at)) };
  });
}
