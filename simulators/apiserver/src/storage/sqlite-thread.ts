/** The thread that owns a SQLite file, so that waiting for the disk holds up nobody who only reads. */
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import type { ClusterRecord } from "./journal.ts";
import { type PackedRecords, packRecords, unpackRecords } from "./packed-records.ts";
import { SqliteFile } from "./sqlite-file.ts";

/** What the thread is asked for; each request is answered in order. */
export type JournalRequest =
  | { readonly kind: "open" }
  | { readonly kind: "clusters" | "close" }
  | { readonly kind: "addCluster"; readonly name: string; readonly settings: string }
  | { readonly kind: "removeCluster"; readonly cluster: number }
  | { readonly kind: "read"; readonly cluster: number; readonly after: number }
  | { readonly kind: "append"; readonly records: PackedRecords }
  | { readonly kind: "limit"; readonly bytes: number | undefined }
  | {
      readonly kind: "compact";
      readonly cluster: number;
      readonly compacted: number;
      readonly obsolete: readonly number[];
    };

/** The answer: what the request asks for, or why it failed. */
export interface JournalReply {
  readonly failure?: string;
  readonly secret?: Uint8Array;
  readonly clusters?: readonly ClusterRecord[];
  readonly records?: PackedRecords;
}

const port: MessagePort | null = parentPort;
let file: SqliteFile | undefined;

port?.on("message", (request: JournalRequest) => {
  const reply = answer(request);
  port.postMessage(reply, reply.records ? [reply.records.values] : []);
  if (request.kind === "close") port.close();
});

function answer(request: JournalRequest): JournalReply {
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
    case "clusters":
      return { clusters: open.clusters() };
    case "addCluster":
      return { clusters: [open.addCluster(request.name, request.settings)] };
    case "read":
      return { records: packRecords(open.read(request.cluster, request.after)) };
    case "removeCluster":
      open.removeCluster(request.cluster);
      return {};
    case "append":
      open.append(unpackRecords(request.records));
      return {};
    case "limit":
      open.limit(request.bytes);
      return {};
    case "compact":
      open.compact(request.cluster, request.compacted, request.obsolete);
      return {};
    case "close":
      open.close();
      file = undefined;
      return {};
  }
}
