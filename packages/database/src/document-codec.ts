import { messageOf, Secret } from "@keelson/base";
import type { CollectionDefinition, Document } from "./collection.ts";
import { errors } from "./errors.ts";
import type { Keyring } from "./keyring.ts";
import { isSealedSecret, open, seal } from "./sealed-secret.ts";
import { changeAt, parseSecretPath, type SecretPath } from "./secret-paths.ts";

/** The partition key and ID under which a document is stored. */
export interface DocumentKey {
  readonly partitionKey: string;
  readonly id: string;
}

/** PostgreSQL parses JSON by recursion; embedded, a text much deeper than this overflows its small stack. */
const maxDepth = 1_000;

/** Turns documents of one collection into the JSON text that is stored, and back. */
export interface DocumentCodec<T extends Document> {
  /** @throws UndeclaredSecret, InvalidWrite, EncryptionKeyMissing */
  encode(document: T): string;
  /** @throws EncryptionKeyMissing, SecretTampered */
  decode(body: string, key: DocumentKey): T;
}

export function documentCodec<T extends Document>(
  definition: CollectionDefinition<T>,
  keyring: Keyring,
): DocumentCodec<T> {
  const paths = definition.secretPaths.map(parseSecretPath);
  return {
    encode: (document) => stringify(sealSecrets(document, paths, definition.name, keyring), definition.name),
    // What is stored under a definition's name was written from its type.
    decode: (body, key) => openSecrets(JSON.parse(body), key, paths, definition.name, keyring) as T,
  };
}

/** Seals what is at the declared paths; a plain text there too, so that a forgotten wrapper leaks nothing. */
function sealSecrets(
  document: Document,
  paths: readonly SecretPath[],
  collection: string,
  keyring: Keyring,
): unknown {
  const { partitionKey, id } = document;
  return paths.reduce<unknown>(
    (value, path) =>
      changeAt(value, path, (member, at) => {
        if (member === undefined || member === null) return member;
        if (member instanceof Secret || typeof member === "string") {
          const plain = typeof member === "string" ? member : member.reveal();
          return seal(plain, { collection, partitionKey, id, path: at }, keyring);
        }
        throw errors.InvalidWrite(
          `${at} of document ${id} in ${collection} is declared secret but is neither text nor a Secret.`,
        );
      }),
    document,
  );
}

/** A plain text at a declared path is from before its declaration; the next write seals it. */
function openSecrets(
  document: unknown,
  { partitionKey, id }: DocumentKey,
  paths: readonly SecretPath[],
  collection: string,
  keyring: Keyring,
): unknown {
  return paths.reduce(
    (value, path) =>
      changeAt(value, path, (member, at) => {
        if (typeof member === "string") return new Secret(member);
        if (member === null || member === undefined) return member;
        if (!isSealedSecret(member)) {
          throw errors.SecretTampered(
            `${at} of document ${id} in ${collection} is not sealed in a known way.`,
          );
        }
        return open(member, { collection, partitionKey, id, path: at }, keyring);
      }),
    document,
  );
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
