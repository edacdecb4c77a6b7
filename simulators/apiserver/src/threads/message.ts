import { type Phases, writeJson } from "@keelson/apimachinery";
import { parseExactJson } from "@keelson/base";

/** What goes from thread to thread: bytes and texts as they are, which takes no time here, everything else as JSON. */
export type Message = Uint8Array<ArrayBuffer> | string | { readonly json: Uint8Array<ArrayBuffer> };

export function* messageFor(value: unknown): Phases<Message> {
  if (typeof value === "string") return value;
  // A view would take along all that it is a view of.
  if (value instanceof Uint8Array) return new Uint8Array(value);
  return { json: new Uint8Array(yield* writeJson(value)) };
}

/** What moves to the other thread instead of being copied. */
export function transferable(message: Message): readonly ArrayBuffer[] {
  if (typeof message === "string") return [];
  return [message instanceof Uint8Array ? message.buffer : message.json.buffer];
}

export function readMessage(message: Message): unknown {
  return typeof message === "string" || message instanceof Uint8Array
    ? message
    : parseExactJson(Buffer.from(message.json.buffer).toString());
}
