import type { KubeObject } from "../kube-object.ts";

/**
 * One version of an object: immutable, kept as the bytes that lists and watches copy. `object` is parsed when first
 * asked for, and must not be changed.
 */
export class StoredObject {
  readonly key: string;
  readonly revision: number;
  readonly bytes: Buffer;
  #object: KubeObject | undefined;

  constructor(key: string, revision: number, bytes: Buffer) {
    this.key = key;
    this.revision = revision;
    this.bytes = bytes;
  }

  get object(): KubeObject {
    this.#object ??= decode(this.bytes);
    return this.#object;
  }

  /** This state again under another revision: what a deletion's event shows. */
  atRevision(revision: number): StoredObject {
    return encodeObject(this.key, revision, this.object);
  }
}

/** Makes the version of `object` that carries `revision` as its `resourceVersion`. */
export function encodeObject(key: string, revision: number, object: KubeObject): StoredObject {
  const { apiVersion, kind, metadata, ...rest } = object;
  const stamped = { apiVersion, kind, metadata: { ...metadata, resourceVersion: String(revision) }, ...rest };
  // Only the bytes are kept: what a caller still does with its object is its own affair.
  return new StoredObject(key, revision, Buffer.from(JSON.stringify(stamped)));
}

function decode(bytes: Buffer): KubeObject {
  const object: KubeObject = JSON.parse(bytes.toString());
  return object;
}
