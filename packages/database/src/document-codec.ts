import { isPlainObject, Secret } from "@keelson/base";
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
        if (!isSealedSecret(member)) return member;
        return open(member, { collection, partitionKey, id, path: at }, keyring);
      }),
    document,
  );
}

function stringify(value: unknown, collection: string): string {
  try {
    // The replacer sees members after `toJSON`; their holder still has the Secret itself.
    return JSON.stringify(value, function (this: Record<string, unknown>, name: string, member: unknown) {
      if (this[name] instanceof Secret) throw undeclared(value, collection);
      return member;
    });
  } catch (cause) {
    if (!(cause instanceof TypeError || cause instanceof RangeError)) throw cause;
    throw errors.InvalidWrite(`A document of ${collection} is no JSON: ${cause.message}`, { cause });
  }
}

function undeclared(document: unknown, collection: string): Error {
  return errors.UndeclaredSecret(
    `${findSecret(document, "") ?? "A member"} of a document in ${collection} is a Secret, but its path is not among ` +
      "the secretPaths of the definition: declare it.",
  );
}

function findSecret(value: unknown, at: string): string | undefined {
  if (value instanceof Secret) return at;
  if (Array.isArray(value)) {
    return firstDefined(value, (element, index) => findSecret(element, `${at}[${index}]`));
  }
  if (!isPlainObject(value)) return undefined;
  return firstDefined(Object.keys(value), (name) => findSecret(value[name], at ? `${at}.${name}` : name));
}

function firstDefined<T, R>(values: readonly T[], find: (value: T, index: number) => R | undefined) {
  for (const [index, value] of values.entries()) {
    const found = find(value, index);
    if (found !== undefined) return found;
  }
  return undefined;
}
