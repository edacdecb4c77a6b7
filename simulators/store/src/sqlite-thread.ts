/**
 * Worker thread that accesses a SQLite file. Because of this thread, the event loop of the main thread never waits for the disk.
 */
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import type { LogRecord } from "./journal.ts";
import { type PackedRecords, packRecords, unpackRecords } from "./packed-records.ts";
import { SqliteFile } from "./sqlite-file.ts";

/** Request to the thread. The thread handles requests in order. */
export type JournalRequest =
  | { readonly kind: "open" }
  | { readonly kind: "logs" | "close" }
  | { readonly kind: "addLog"; readonly name: string; readonly settings: string }
  | { readonly kind: "removeLog"; readonly log: number }
  | { readonly kind: "read"; readonly log: number; readonly after: number }
  | { readonly kind: "append"; readonly records: PackedRecords }
  | { readonly kind: "limit"; readonly bytes: number | undefined }
  | {
      readonly kind: "compact";
      readonly log: number;
      readonly compacted: number;
      readonly obsolete: readonly number[];
    };

/** Reply to a request: its result or its error. */
export interface JournalReply {
  readonly failure?: string;
  readonly secret?: Uint8Array;
  readonly logs?: readonly LogRecord[];
  readonly records?: PackedRecords;
}

const port: MessagePort | null = parentPort;
let file: SqliteFile | undefined;

port?.on("message", (request: JournalRequest) => {
  const reply = response(request);
  port.postMessage(reply, reply.records ? [reply.records.values] : []);
  if (request.kind === "close") port.close();
});

function response(request: JournalRequest): JournalReply {
  try {
    if (request.kind === "open") {
      file = new SqliteFile(String(workerData));
      return { secret: file.secret() };
    }
    if (!file) throw new Error("the file is not open");
    return perform(file, request);
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}

function perform(open: SqliteFile, request: Exclude<JournalRequest, { kind: "open" }>): JournalReply {
  switch (request.kind) {
    case "logs":
      return { logs: open.logs() };
    case "addLog":
      return { logs: [open.addLog(request.name, request.settings)] };
    case "read":
      return { records: packRecords(open.read(request.log, request.after)) };
    case "removeLog":
      open.removeLog(request.log);
      return {};
    case "append":
      open.append(unpackRecords(request.records));
      return {};
    case "limit":
      open.limit(request.bytes);
      return {};
    case "compact":
      open.compact(request.log, request.compacted, request.obsolete);
      return {};
    case "close":
      open.close();
      file = undefined;
      return {};
  }
}
