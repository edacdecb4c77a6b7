import { type Phases, writeJson } from "@keelson/apimachinery";
import { parseExactJson } from "@keelson/base";

/** Message between threads. Bytes and strings are passed unchanged, which is fast. All other values are passed as JSON. */
export type Message = Uint8Array<ArrayBuffer> | string | { readonly json: Uint8Array<ArrayBuffer> };

export function* messageFor(value: unknown): Phases<Message> {
  if (typeof value === "string") return value;
  // Copies the view, because a transfer would include the complete underlying buffer.
  if (value instanceof Uint8Array) return new Uint8Array(value);
  return { json: new Uint8Array(yield* writeJson(value)) };
}

/** Returns the buffers that are transferred instead of copied. */
export function transferable(message: Message): readonly ArrayBuffer[] {
  if (typeof message === "string") return [];
  return [message instanceof Uint8Array ? message.buffer : message.json.buffer];
}

export function readMessage(message: Message): unknown {
  return typeof message === "string" || message instanceof Uint8Array
    ? message
    : parseExactJson(Buffer.from(message.json.buffer).toString());
}
