// SPDX-License-Identifier: MIT
// Server-sent events of OpenAI's protocol.

import { postJson, ServiceError } from "./api.js";

/** The data of each event of a body. */
async function* eventsOf(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = "", got = await reader.read(); !got.done; got = await reader.read()) {
    const parts = (rest + got.value).split("\n\n");
    rest = parts.pop();
    for (const part of parts) if (part.startsWith("data: ")) yield part.slice(6);
  }
}

/**
 * The answer to a conversation: {text} for each piece, {reason} at its end, and {usage}. Throws a ServiceError if the
 * answer ends before its end.
 */
export async function* chat(body, signal) {
  const asked = { ...body, stream: true, stream_options: { include_usage: true } };
  const response = await postJson("openai/v1/chat/completions", asked, signal);
  for await (const data of eventsOf(response.body)) {
    if (data === "[DONE]") return;
    const { error, choices, usage } = JSON.parse(data);
    if (error) throw new ServiceError(error.message);
    const [choice] = choices;
    if (choice?.delta.content) yield { text: choice.delta.content };
    if (choice?.finish_reason) yield { reason: choice.finish_reason };
    if (usage) yield { usage };
  }
  throw new ServiceError("The connection ended before the answer was complete.");
}
