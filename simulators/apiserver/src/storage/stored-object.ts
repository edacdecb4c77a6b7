import type { KubeObject } from "@keelson/apimachinery";
import { exactJson, parseExactJson } from "@keelson/base";
import { splitAtSpec } from "./shared-segments.ts";

/** Bytes that precede the revision in every object. */
const revisionMark = '"metadata":{"resourceVersion":"';
const noLabels: Labels = {};

export type Labels = Readonly<Record<string, string>>;

export interface StoredObjectOptions {
  readonly labels?: Labels | undefined;
  /** True if many objects have an equal `spec`. */
  readonly sharesSpec?: boolean;
}

/**
 * Immutable version of an object. It stores the serialized bytes, which lists and watches copy. `object` is parsed on demand and
 * must not be changed. The garbage collector may free the parsed object.
 */
export class StoredObject {
  readonly key: string;
  readonly revision: number;
  /** Byte segments in order. There is only one segment if the object shares no bytes with other objects. */
  readonly segments: readonly Buffer[];
  #object: WeakRef<KubeObject> | undefined;
  #labels: Labels | undefined;

  constructor(key: string, revision: number, bytes: Buffer, options: StoredObjectOptions = {}) {
    this.key = key;
    this.revision = revision;
    this.segments = options.sharesSpec ? splitAtSpec(bytes) : [bytes];
    this.#labels = options.labels;
  }

  get bytes(): Buffer {
    const [first, ...others] = this.segments;
    return first && others.length === 0 ? first : Buffer.concat(this.segments);
  }

  /** Total size in bytes. */
  get size(): number {
    return this.segments.reduce((sum, { length }) => sum + length, 0);
  }

  get object(): KubeObject {
    const known = this.#object?.deref();
    if (known) return known;
    const object = decode(this.bytes);
    this.#object = new WeakRef(object);
    return object;
  }

  /** Labels, cached so that label selectors need no parsing. */
  get labels(): Labels {
    this.#labels ??= this.bytes.includes('"labels":') ? (this.object.metadata.labels ?? noLabels) : noLabels;
    return this.#labels;
  }

  /** Returns a copy of the object with a different revision. Used for deletion events. */
  atRevision(revision: number): StoredObject {
    const old = this.bytes;
    const start = old.indexOf(revisionMark) + revisionMark.length;
    const end = start + String(this.revision).length;
    const stamped = start >= revisionMark.length && old[end] === 0x22;
    if (!stamped) return encodeObject(this.key, revision, this.object);
    const bytes = Buffer.concat([old.subarray(0, start), Buffer.from(String(revision)), old.subarray(end)]);
    return new StoredObject(this.key, revision, bytes, { labels: this.#labels });
  }
}

/** Encodes `object` with `revision` as its `resourceVersion`. */
export function encodeObject(
  key: string,
  revision: number,
  object: KubeObject,
  options: Pick<StoredObjectOptions, "sharesSpec"> = {},
): StoredObject {
  const { apiVersion, kind, metadata, ...rest } = object;
  const stamp = { resourceVersion: String(revision) };
  // The first `stamp` puts `resourceVersion` before all fields that clients control. `atRevision` expects the revision at this
  // position.
  const stamped = { apiVersion, kind, metadata: { ...stamp, ...metadata, ...stamp }, ...rest };
  const { labels } = metadata;
  // The bytes and labels are copied, so later changes of `object` by the caller have no effect.
  return new StoredObject(key, revision, bytesOf(exactJson(stamped)), {
    ...options,
    labels: labels ? { ...labels } : noLabels,
  });
}

/**
 * Encodes a string into a separate buffer. `Buffer.from` would use a slice of Node.js' buffer pool, which stays in memory until no
 * object in it is used any more.
 */
function bytesOf(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

function decode(bytes: Buffer): KubeObject {
  return parseExactJson(bytes.toString()) as KubeObject;
}
