import { exactJson, parseExactJson } from "@keelson/base";

/** What goes from thread to thread: bytes and texts as they are, which takes no time here, everything else as JSON. */
export type Message = Uint8Array<ArrayBuffer> | string | { readonly json: string };

export function messageFor(value: unknown): Message {
  if (typeof value === "string") return value;
  // A view would take along all that it is a view of.
  if (value instanceof Uint8Array) return new Uint8Array(value);
  return { json: exactJson(value) };
}

/** What may move to the other thread instead of being copied. */
export function transferable(message: Message): readonly ArrayBuffer[] {
  return message instanceof Uint8Array ? [message.buffer] : [];
}

export function readMessage(message: Message): unknown {
  return typeof message === "string" || message instanceof Uint8Array
    ? message
    : parseExactJson(message.json);
}
