import { type CollectionDefinition, type Document, ttlSecondsOf } from "../documents/collection.ts";
import { errors } from "../documents/errors.ts";
import { isColumnText } from "../documents/table.ts";
import type { DocumentCodec } from "../encryption/document-codec.ts";
import type { Keyring } from "../encryption/keyring.ts";
import { sortableList } from "./sortable.ts";

/**
 * Common fields of all items in the container of documents. Fields that Cosmos DB adds start with an
 * underscore.
 */
interface OwnItem {
  readonly id: string;
  readonly partitionKey: string;
  /** Seconds after the last write. */
  readonly ttl?: number;
}

/**
 * Document. Its fields are in `body`, a JSON string: Cosmos DB limits the depth of objects and the precision
 * of numbers.
 */
export interface DocumentItem extends OwnItem {
  readonly kind: "document";
  readonly collection: string;
  readonly documentId: string;
  readonly keys: Readonly<Record<string, string | number>>;
  /** Sort strings of lists: by ID and by each key. */
  readonly sort: { readonly id: string; readonly keys: Readonly<Record<string, string>> };
  readonly body: string;
  /** The key under which this write sealed the secrets. */
  readonly sealedKeyId?: string;
}

/**
 * State of a document that changes without its content, in a separate item: heartbeats rewrite the head, and
 * the document keeps its version. Documents of queued collections and of collections with unique keys have a
 * head. Times are in milliseconds.
 */
export interface HeadItem extends OwnItem {
  readonly kind: "head";
  readonly collection: string;
  readonly documentId: string;
  /** The values that the document reserved. */
  readonly unique: Readonly<Record<string, string | number>>;
  /** The place in the queue; absent outside it. */
  readonly order?: string;
  readonly queuedAt?: number;
  /** Turn in a fair queue: see `QueueEntry`. */
  readonly turn?: number;
  readonly dueAt: number;
  readonly notBefore: number;
  readonly attempts: number;
  readonly leaseOwner?: string;
  readonly leaseGeneration: number;
  /** 0 if the document is not leased. */
  readonly leaseExpires: number;
  /** True if the last write released the document. Waiting workers are notified of this. */
  readonly isGivenBack: boolean;
}

/** Marks a deleted document for the change feed, which does not report deletions. */
export interface RemovalItem extends OwnItem {
  readonly kind: "removal";
  readonly collection: string;
  readonly documentId: string;
}

/** Decides whether the commit of this token happens: the first process to create it wins. */
export interface ClaimItem extends OwnItem {
  readonly kind: "claim";
}

export type OwnedItem = DocumentItem | HeadItem | RemovalItem | ClaimItem;

/** Item as Cosmos DB returns it. */
export type Versioned<T> = T & { readonly _etag: string; readonly _ts: number };

/** Shared objects of one collection. */
export interface CosmosDefinition<T extends Document> {
  readonly definition: CollectionDefinition<T>;
  readonly codec: DocumentCodec<T>;
  readonly keyring: Keyring;
}

export const claimTtlSeconds = 86_400;
const removalTtlSeconds = 3_600;

const longestId = 1_023;
const longestPartitionKey = 2_048;

export const documentItemId = (collection: string, id: string) => `document:${collection}:${escaped(id)}`;
export const headItemId = (collection: string, id: string) => `head:${collection}:${escaped(id)}`;
export const claimItemId = (token: string) => `claim:${token}`;
const removalItemId = (collection: string, id: string) => `removal:${collection}:${escaped(id)}`;

/** IDs of items cannot have all characters, and are not case-sensitive everywhere. */
function escaped(id: string): string {
  return id.replace(/[^A-Za-z0-9._~-]/gu, (character) =>
    [...Buffer.from(character)].map((byte) => `=${byte.toString(16).padStart(2, "0")}`).join(""),
  );
}

/** False for a document that this store cannot have, which therefore is not found. */
export function isStorable(collection: string, partitionKey: string, id: string): boolean {
  return (
    isColumnText(partitionKey) &&
    isColumnText(id) &&
    id !== "" &&
    Buffer.byteLength(partitionKey) <= longestPartitionKey &&
    Buffer.byteLength(documentItemId(collection, id)) <= longestId
  );
}

export function hasHead({ queued, unique }: CollectionDefinition<Document>): boolean {
  return queued !== undefined || unique.length > 0;
}

/** @throws InvalidWrite, UndeclaredSecret, EncryptionKeyMissing, SecretTampered */
export function documentItem(
  { definition, codec, keyring }: CosmosDefinition<Document>,
  document: Document,
): DocumentItem {
  const { id, partitionKey } = document;
  const keys = keysOf(definition, document);
  return {
    id: documentItemId(definition.name, id),
    partitionKey,
    kind: "document",
    collection: definition.name,
    documentId: id,
    keys,
    sort: {
      id: sortableList([id, partitionKey]),
      keys: Object.fromEntries(
        Object.entries(keys).map(([key, value]) => [key, sortableList([value, id, partitionKey])]),
      ),
    },
    ...(definition.secretPaths.length > 0 ? { sealedKeyId: keyring.currentKeyId() } : {}),
    body: codec.encode(document),
    ...ttlOf(definition, document),
  };
}

export function removalItem(collection: string, partitionKey: string, id: string): RemovalItem {
  return {
    id: removalItemId(collection, id),
    partitionKey,
    kind: "removal",
    collection,
    documentId: id,
    ttl: removalTtlSeconds,
  };
}

export function claimItem(partitionKey: string, token: string): ClaimItem {
  return { id: claimItemId(token), partitionKey, kind: "claim", ttl: claimTtlSeconds };
}

export function ttlOf(
  definition: CollectionDefinition<Document>,
  document: Document,
): { readonly ttl?: number } {
  const ttlSeconds = ttlSecondsOf(definition, document);
  // Cosmos DB requires an integer. Rounding up makes the document live slightly longer, never shorter.
  return ttlSeconds === undefined ? {} : { ttl: Math.max(1, Math.ceil(ttlSeconds)) };
}

/** The values of the keys that no two documents may share. */
export function uniqueValuesOf(
  definition: CollectionDefinition<Document>,
  document: Document,
): Readonly<Record<string, string | number>> {
  const keys = keysOf(definition, document);
  return Object.fromEntries(Object.entries(keys).filter(([key]) => definition.unique.includes(key)));
}

function keysOf(
  definition: CollectionDefinition<Document>,
  document: Document,
): Readonly<Record<string, string | number>> {
  const keys: Record<string, string | number> = {};
  for (const [key, keyValue] of Object.entries(definition.keys)) {
    const value = keyValue(document);
    if (value === undefined) continue;
    if (!isColumnText(value)) {
      throw errors.InvalidWrite(
        `Key ${key} of document ${document.id} in ${definition.name} has NUL or is not valid Unicode.`,
      );
    }
    keys[key] = value;
  }
  return keys;
}
