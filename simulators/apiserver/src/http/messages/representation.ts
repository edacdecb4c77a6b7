import type { Phases, Status } from "@keelson/apimachinery";
import type { ListPage } from "../../registry/list.ts";
import type { StoredObject } from "../../storage/stored-object.ts";

/** Content of the objects in the rows of a table. */
export type IncludeObject = "None" | "Metadata" | "Object";

/** Turns objects of one resource into the bytes that one kind of client asked for. */
export interface Representation {
  /** Equal keys make equal bytes: what was encoded for one watcher serves the next. */
  readonly key: string;
  readonly contentType: string;
  /** The bytes are JSON that goes out as YAML. */
  readonly text?: "yaml";
  /** Input of the encoding: the stored bytes, or the parsed objects. */
  readonly reads: "bytes" | "objects";
  /** Content type of a watch stream. */
  readonly streamType: string;
  one(stored: StoredObject): Buffer;
  /** Encodes a list in parts, so that other requests have their turn meanwhile. */
  list(page: ListPage): Phases<Buffer>;
  /** Encodes a bookmark: an object with a resource version and annotations only. */
  bookmark(revision: number, annotations: Readonly<Record<string, string>> | undefined): Buffer;
  /** Representation of the events after the first of a watch, if it differs. */
  readonly afterFirst?: Representation;
  /** One event of a watch around an encoded object. */
  frame(type: string, object: Buffer): Buffer;
  /** Encodes a failure instead of an object. */
  failure(status: Status): Buffer;
}
