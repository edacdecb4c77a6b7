import { decodeProtobuf } from "@keelson/wire-formats";
import type { ThreadTask } from "./thread-task.ts";

/** Decodes a long protocol buffer message. */
export const protobufTask: ThreadTask<Uint8Array, Readonly<Record<string, unknown>>> = {
  name: "decodeProtobuf",
  run: (bytes, budget) => decodeProtobuf(Buffer.from(bytes), budget),
};
