import { messageOf, Secret } from "@keelson/base";
import type { CollectionDefinition, Document } from "../documents/collection.ts";
import { errors } from "../documents/errors.ts";
import type { Keyring } from "./keyring.ts";
import { type SealedSecret, type SecretPlace, seal } from "./sealed-secret.ts";
import { changeAt, parseSecretPaths, type SecretPaths } from "./secret-paths.ts";
import { StoredSecret } from "./stored-secret.ts";

/** Partition key and ID of a stored document. */
export interface DocumentKey {
  readonly partitionKey: string;
  readonly id: string;
}

/** Maximum nesting depth of documents. PostgreSQL parses JSON recursively, and embedded PostgreSQL has a small stack. */
const maxDepth = 1_000;

/** Converts documents of one collection to and from their stored JSON. */
export interface DocumentCodec<T extends Document> {
  /**
   * Serializes a document and encrypts its secrets.
   * @throws UndeclaredSecret, InvalidWrite, EncryptionKeyMissing, SecretTampered
   */
  encode(document: T): string;
  /** Parses a document. Its secrets are decrypted only when they are revealed. */
  decode(body: string, key: DocumentKey): T;
  /** Decrypts all secrets of a document. @throws EncryptionKeyMissing, SecretTampered */
  openSecrets(document: T): void;
  /** True if a secret is encrypted with an older key. The next write re-encrypts it. */
  isOutdated(document: T): boolean;
}

export function documentCodec<T extends Document>(
  definition: CollectionDefinition<T>,
  keyring: Keyring,
): DocumentCodec<T> {
  const paths = parseSecretPaths(definition.secretPaths);
  const collection = definition.name;
  return {
    encode: (document) => stringify(sealSecrets(document, paths, collection, keyring), collection),
    // The cast is safe, because the collection stores only documents of this type.
    decode: (body, key) => wrapSecrets(JSON.parse(body), key, paths, collection, keyring) as T,
    openSecrets(document) {
      changeAt(document, paths, (member) => {
        if (member instanceof Secret) member.reveal();
        return member;
      });
    },
    isOutdated(document) {
      let outdated = false;
      changeAt(document, paths, (member) => {
        if (member instanceof Secret && keyIdOf(member) !== keyring.currentKeyId()) outdated = true;
        return member;
      });
      return outdated;
    },
  };
}

/**
 * Encrypts the values at the declared paths. Plain strings are also encrypted, in case a caller did not wrap the value in a
 * `Secret`.
 */
function sealSecrets(document: Document, paths: SecretPaths, collection: string, keyring: Keyring): unknown {
  const { partitionKey, id } = document;
  return changeAt(document, paths, (member, path) => {
    if (member === undefined || member === null) return member;
    const place = { collection, partitionKey, id, path };
    if (member instanceof Secret) return sealedAgain(member, place) ?? seal(member.reveal(), place, keyring);
    if (typeof member === "string") return seal(member, place, keyring);
    throw errors.InvalidWrite(
      `${path} of document ${id} in ${collection} is declared secret but is neither a string nor a Secret.`,
    );
  });
}

function keyIdOf({ source }: Secret): string | undefined {
  return source instanceof StoredSecret ? source.keyId : undefined;
}

/**
 * Returns the stored ciphertext of a secret that was read from the same document and field. The secret is not decrypted for this.
 * Undefined for all other secrets.
 */
function sealedAgain({ source }: Secret, place: SecretPlace): SealedSecret | undefined {
  return source instanceof StoredSecret ? source.sealedFor(place) : undefined;
}

/**
 * Wraps the values at the declared paths in secrets. A value that is not encrypted causes an error when it is revealed or written
 * back.
 */
function wrapSecrets(
  document: unknown,
  { partitionKey, id }: DocumentKey,
  paths: SecretPaths,
  collection: string,
  keyring: Keyring,
): unknown {
  return changeAt(document, paths, (member, path) => {
    if (member === null || member === undefined) return member;
    return new Secret(new StoredSecret(member, { collection, partitionKey, id, path }, keyring));
  });
}

function stringify(value: unknown, collection: string): string {
  const fault = findFault(value, 0);
  if (fault?.kind === "undeclared") {
    throw errors.UndeclaredSecret(
      `${fault.path.join(".")} of a document in ${collection} is a Secret, but its path is not among the ` +
        "secretPaths of the definition: declare it.",
    );
  }
  if (fault)
    throw errors.InvalidWrite(`A document of ${collection} is nested deeper than ${maxDepth} levels.`);
  try {
    return JSON.stringify(value);
  } catch (cause) {
    throw errors.InvalidWrite(`A document of ${collection} is no JSON: ${messageOf(cause)}`, { cause });
  }
}

interface Fault {
  readonly kind: "undeclared" | "too-deep";
  readonly path: readonly string[];
}

/**
 * Returns the first value that must not be serialized, with its path: a secret at an undeclared path, or a value that is nested
 * too deeply. Undefined if there is no such value. `JSON.stringify` would write only the redacted string of a secret.
 */
function findFault(value: unknown, depth: number): Fault | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (value instanceof Secret) return { kind: "undeclared", path: [] };
  if (depth === maxDepth) return { kind: "too-deep", path: [] };
  // Does not use `Object.entries`, which would allocate arrays. Most documents have hundreds of fields and no fault.
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const fault = findFault(value[index], depth + 1);
      if (fault) return { kind: fault.kind, path: [`${index}`, ...fault.path] };
    }
    return undefined;
  }
  const fields = value as Readonly<Record<string, unknown>>;
  for (const name in fields) {
    const fault = findFault(fields[name], depth + 1);
    if (fault) return { kind: fault.kind, path: [name, ...fault.path] };
  }
  return undefined;
}
