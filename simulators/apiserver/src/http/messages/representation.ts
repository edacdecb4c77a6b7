import type { Phases, Status } from "@keelson/apimachinery";
import type { ListPage } from "../../registry/list.ts";
import type { StoredObject } from "../../storage/stored-object.ts";

/** Content of the objects in the rows of a table. */
export type IncludeObject = "None" | "Metadata" | "Object";

/** Encoder for objects of one resource in one negotiated form. */
export interface Representation {
  /** Cache key. Representations with equal keys produce equal bytes, so watchers share encoded events. */
  readonly key: string;
  readonly contentType: string;
  /** The encoded JSON is converted to YAML before it is sent. */
  readonly text?: "yaml";
  /** Input of the encoding: the stored bytes, or the parsed objects. */
  readonly reads: "bytes" | "objects";
  /** Content type of a watch stream. */
  readonly streamType: string;
  one(stored: StoredObject): Buffer;
  /** Encodes a list in parts, so that other requests have their turn. */
  list(page: ListPage): Phases<Buffer>;
  /** Encodes a bookmark: an object with a resource version and annotations only. */
  bookmark(revision: number, annotations: Readonly<Record<string, string>> | undefined): Buffer;
  /** Representation of the events after the first of a watch, if it differs. */
  readonly afterFirst?: Representation;
  /** Frame of one watch event with an encoded object. */
  frame(type: string, object: Buffer): Buffer;
  /** Encodes an error event's status. */
  failure(status: Status): Buffer;
}
