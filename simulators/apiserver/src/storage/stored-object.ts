import type { KubeObject } from "@keelson/apimachinery";
import { exactJson, parseExactJson } from "@keelson/base";
import { splitAtSpec } from "./shared-segments.ts";

/** How the bytes of every object begin, up to its revision. */
const revisionMark = '"metadata":{"resourceVersion":"';
const noLabels: Labels = {};

export type Labels = Readonly<Record<string, string>>;

export interface StoredObjectOptions {
  readonly labels?: Labels | undefined;
  /** Many objects have this one's `spec`. */
  readonly sharesSpec?: boolean;
}

/**
 * One version of an object: immutable, kept as the bytes that lists and watches copy. `object` is parsed when asked
 * for, and must not be changed; memory that runs short may forget it again.
 */
export class StoredObject {
  readonly key: string;
  readonly revision: number;
  /** The bytes in their order; one segment where nothing is shared with other objects. */
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

  /** How many bytes there are. */
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

  /** Kept, so that selecting by labels parses nothing. */
  get labels(): Labels {
    this.#labels ??= this.bytes.includes('"labels":') ? (this.object.metadata.labels ?? noLabels) : noLabels;
    return this.#labels;
  }

  /** This state again under another revision: what a deletion's event shows. */
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

/** Makes the version of `object` that carries `revision` as its `resourceVersion`. */
export function encodeObject(
  key: string,
  revision: number,
  object: KubeObject,
  options: Pick<StoredObjectOptions, "sharesSpec"> = {},
): StoredObject {
  const { apiVersion, kind, metadata, ...rest } = object;
  const stamp = { resourceVersion: String(revision) };
  // The first stamp puts it before everything that a client has a say in, where `atRevision` finds it.
  const stamped = { apiVersion, kind, metadata: { ...stamp, ...metadata, ...stamp }, ...rest };
  const { labels } = metadata;
  // Only bytes and a copy are kept: what a caller still does with its object is its own affair.
  return new StoredObject(key, revision, Buffer.from(exactJson(stamped)), {
    ...options,
    labels: labels ? { ...labels } : noLabels,
  });
}

function decode(bytes: Buffer): KubeObject {
  return parseExactJson(bytes.toString()) as KubeObject;
}
