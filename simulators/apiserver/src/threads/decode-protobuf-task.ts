import { decodeProtobuf } from "@keelson/wire-formats";
import type { ThreadTask } from "./thread-task.ts";

export const protobufTask: ThreadTask<Uint8Array, Readonly<Record<string, unknown>>> = {
  name: "decodeProtobuf",
  run: (bytes, budget) => decodeProtobuf(Buffer.from(bytes), budget),
};
