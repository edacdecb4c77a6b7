import type { Phases, Status } from "@keelson/apimachinery";
import type { ListPage } from "../../registry/list.ts";
import type { StoredObject } from "../../storage/stored-object.ts";

/** Content of `object` in the rows of a table. */
export type IncludeObject = "None" | "Metadata" | "Object";

/** Encoder for objects of one resource in one negotiated form. */
export interface Representation {
  /** Cache key. Representations with equal keys produce equal bytes. Watches with equal keys share encoded events. */
  readonly key: string;
  readonly contentType: string;
  /** If set, the encoded JSON is converted to YAML before it is sent. */
  readonly text?: "yaml";
  /** Input of the encoding: the stored bytes, or the parsed objects. */
  readonly reads: "bytes" | "objects";
  /** Content type of a watch stream. */
  readonly streamType: string;
  one(stored: StoredObject): Buffer;
  /** Encodes a list in several steps, so that other requests can run between them. */
  list(page: ListPage): Phases<Buffer>;
  /** Encodes a bookmark object, which has only a resource version and annotations. */
  bookmark(revision: number, annotations: Readonly<Record<string, string>> | undefined): Buffer;
  /** Representation of a watch's later events, if it differs from the first event's. */
  readonly afterFirst?: Representation;
  /** Encodes one watch event. `object` is the encoded object. */
  frame(type: string, object: Buffer): Buffer;
  /** Encodes an error event with this status. */
  failure(status: Status): Buffer;
}
