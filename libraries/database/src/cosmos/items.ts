import { type CollectionDefinition, type Document, ttlSecondsOf } from "../documents/collection.ts";
import { errors } from "../documents/errors.ts";
import { isColumnText } from "../documents/table.ts";
import type { DocumentCodec } from "../encryption/document-codec.ts";
import type { Keyring } from "../encryption/keyring.ts";
import { sortableList } from "./sortable.ts";

/** Common fields of all items in the documents container. Cosmos DB adds fields that start with an underscore. */
interface OwnItem {
  readonly id: string;
  readonly partitionKey: string;
  /** Time to live in seconds after the last write. */
  readonly ttl?: number;
}

/**
 * Item of a document. `body` contains its fields as a JSON string, because Cosmos DB limits nesting depth and number precision.
 */
export interface DocumentItem extends OwnItem {
  readonly kind: "document";
  readonly collection: string;
  readonly documentId: string;
  readonly keys: Readonly<Record<string, string | number>>;
  /** Strings by which lists are sorted: one for the ID, and one for each sort key. */
  readonly sort: { readonly id: string; readonly keys: Readonly<Record<string, string>> };
  readonly body: string;
  /** ID of the encryption key with which the last write encrypted the secrets. */
  readonly sealedKeyId?: string;
}

/**
 * State of a document that changes independently of the document's content: lease, queue position and unique values. The state is
 * a separate item, so heartbeats do not change the document's version. Only documents in collections with a queue or unique keys
 * have a head. Times are in milliseconds.
 */
export interface HeadItem extends OwnItem {
  readonly kind: "head";
  readonly collection: string;
  readonly documentId: string;
  /** Unique values that the document has reserved. */
  readonly unique: Readonly<Record<string, string | number>>;
  /** Position in the queue. Undefined if the document is not queued. */
  readonly order?: string;
  readonly queuedAt?: number;
  /** Time when the document's partition was last served, as in `QueueEntry`. */
  readonly turn?: number;
  readonly dueAt: number;
  readonly notBefore: number;
  readonly attempts: number;
  readonly leaseOwner?: string;
  readonly leaseGeneration: number;
  /** Expiry of the lease in ms since 1970. 0 if the document is not leased. */
  readonly leaseExpires: number;
  /** True if the last write released the document. In this case, waiting workers are notified of the change. */
  readonly isGivenBack: boolean;
}

/** Marker item for a deleted document. It appears in the change feed, which does not report deletions. */
export interface RemovalItem extends OwnItem {
  readonly kind: "removal";
  readonly collection: string;
  readonly documentId: string;
}

/** Claim item with the token of a commit. The first process that creates this item decides whether the commit takes effect. */
export interface ClaimItem extends OwnItem {
  readonly kind: "claim";
}

export type OwnedItem = DocumentItem | HeadItem | RemovalItem | ClaimItem;

/** Item as Cosmos DB returns it. */
export type Versioned<T> = T & { readonly _etag: string; readonly _ts: number };

/** Dependencies of one collection. */
export interface CosmosDefinition<T extends Document> {
  readonly definition: CollectionDefinition<T>;
  readonly codec: DocumentCodec<T>;
  readonly keyring: Keyring;
}

const claimTtlSeconds = 86_400;
const removalTtlSeconds = 3_600;

const longestId = 1_023;
const longestPartitionKey = 2_048;

export const documentItemId = (collection: string, id: string) => `document:${collection}:${escaped(id)}`;
export const headItemId = (collection: string, id: string) => `head:${collection}:${escaped(id)}`;
const claimItemId = (token: string) => `claim:${token}`;
const removalItemId = (collection: string, id: string) => `removal:${collection}:${escaped(id)}`;

/** Encodes an ID. Item IDs do not permit all characters, and some environments compare item IDs case-insensitively. */
function escaped(id: string): string {
  return id.replace(/[^A-Za-z0-9._~-]/gu, (character) =>
    [...Buffer.from(character)].map((byte) => `=${byte.toString(16).padStart(2, "0")}`).join(""),
  );
}

/** True if this store can contain a document with this ID. Documents with other IDs are reported as not found. */
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

/** Builds the item of a document. @throws InvalidWrite, UndeclaredSecret, EncryptionKeyMissing, SecretTampered */
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
  // Cosmos DB requires an integer. The value is rounded up, so that the document does not expire early.
  return ttlSeconds === undefined ? {} : { ttl: Math.max(1, Math.ceil(ttlSeconds)) };
}

/** Returns the values of the document's unique keys. */
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
