import type { KubeObject } from "../kube-object.ts";

/** How the bytes of every object begin to tell its revision. */
const revisionMark = '"metadata":{"resourceVersion":"';
const noLabels: Labels = {};

export type Labels = Readonly<Record<string, string>>;

/**
 * One version of an object: immutable, kept as the bytes that lists and watches copy. `object` is parsed when asked
 * for, and must not be changed; memory that runs short may forget it again.
 */
export class StoredObject {
  readonly key: string;
  readonly revision: number;
  readonly bytes: Buffer;
  #object: WeakRef<KubeObject> | undefined;
  #labels: Labels | undefined;

  constructor(key: string, revision: number, bytes: Buffer, labels?: Labels) {
    this.key = key;
    this.revision = revision;
    this.bytes = bytes;
    this.#labels = labels;
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
    const start = this.bytes.indexOf(revisionMark) + revisionMark.length;
    const end = start + String(this.revision).length;
    const stamped = start >= revisionMark.length && this.bytes[end] === 0x22;
    if (!stamped) return encodeObject(this.key, revision, this.object);
    const bytes = Buffer.concat([
      this.bytes.subarray(0, start),
      Buffer.from(String(revision)),
      this.bytes.subarray(end),
    ]);
    return new StoredObject(this.key, revision, bytes, this.#labels);
  }
}

/** Makes the version of `object` that carries `revision` as its `resourceVersion`. */
export function encodeObject(key: string, revision: number, object: KubeObject): StoredObject {
  const { apiVersion, kind, metadata, ...rest } = object;
  const stamp = { resourceVersion: String(revision) };
  // The first stamp puts it before everything that a client has a say in, where `atRevision` finds it.
  const stamped = { apiVersion, kind, metadata: { ...stamp, ...metadata, ...stamp }, ...rest };
  const { labels } = metadata;
  // Only bytes and a copy are kept: what a caller still does with its object is its own affair.
  return new StoredObject(
    key,
    revision,
    Buffer.from(JSON.stringify(stamped)),
    labels ? { ...labels } : noLabels,
  );
}

function decode(bytes: Buffer): KubeObject {
  const object: KubeObject = JSON.parse(bytes.toString());
  return object;
}
