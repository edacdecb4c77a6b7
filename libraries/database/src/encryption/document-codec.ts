import { messageOf, Secret } from "@keelson/base";
import type { CollectionDefinition, Document } from "../documents/collection.ts";
import { errors } from "../documents/errors.ts";
import type { Keyring } from "./keyring.ts";
import { type SealedSecret, type SecretPlace, seal } from "./sealed-secret.ts";
import { changeAt, parseSecretPaths, type SecretPaths } from "./secret-paths.ts";
import { StoredSecret } from "./stored-secret.ts";

/** The partition key and ID under which a document is stored. */
export interface DocumentKey {
  readonly partitionKey: string;
  readonly id: string;
}

/** PostgreSQL parses JSON by recursion; embedded, a text much deeper than this overflows its small stack. */
const maxDepth = 1_000;

/** Turns documents of one collection into the JSON text that is stored, and back. */
export interface DocumentCodec<T extends Document> {
  /** @throws UndeclaredSecret, InvalidWrite, EncryptionKeyMissing, SecretTampered */
  encode(document: T): string;
  /** Its secrets are opened when they are revealed, and not before. */
  decode(body: string, key: DocumentKey): T;
  /** For a reader that will need them. @throws EncryptionKeyMissing, SecretTampered */
  openSecrets(document: T): void;
  /** True when a secret is under another key than the current one, so that the next write re-encrypts it. */
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
    // What is stored under a definition's name was written from its type.
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

/** Seals what is at the declared paths; a plain text there too, so that a forgotten wrapper leaks nothing. */
function sealSecrets(document: Document, paths: SecretPaths, collection: string, keyring: Keyring): unknown {
  const { partitionKey, id } = document;
  return changeAt(document, paths, (member, path) => {
    if (member === undefined || member === null) return member;
    const place = { collection, partitionKey, id, path };
    if (member instanceof Secret) return sealedAgain(member, place) ?? seal(member.reveal(), place, keyring);
    if (typeof member === "string") return seal(member, place, keyring);
    throw errors.InvalidWrite(
      `${path} of document ${id} in ${collection} is declared secret but is neither text nor a Secret.`,
    );
  });
}

function keyIdOf({ source }: Secret): string | undefined {
  return source instanceof StoredSecret ? source.keyId : undefined;
}

/** What was read here and is written back to where it was needs no opening. */
function sealedAgain({ source }: Secret, place: SecretPlace): SealedSecret | undefined {
  return source instanceof StoredSecret ? source.sealedFor(place) : undefined;
}

/** What is not sealed at a declared path was not written here, and fails when it is revealed or written back. */
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

/** What must not get as far as `JSON.stringify`, which would write a redaction for a `Secret`. */
function findFault(value: unknown, depth: number): Fault | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (value instanceof Secret) return { kind: "undeclared", path: [] };
  if (depth === maxDepth) return { kind: "too-deep", path: [] };
  for (const [name, member] of Object.entries(value)) {
    const fault = findFault(member, depth + 1);
    if (fault) return { kind: fault.kind, path: [name, ...fault.path] };
  }
  return undefined;
}
