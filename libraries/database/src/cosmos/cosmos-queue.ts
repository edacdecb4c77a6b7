import { isCoded } from "@keelson/base";
import type { Document, Stored } from "../documents/collection.ts";
import type {
  AcquireIdleOptions,
  AcquireOptions,
  Lease,
  Leased,
  LeasedCollection,
  QueueLength,
  ReleaseOptions,
  RenewResult,
} from "../documents/lease.ts";
import type { FoundHead } from "./batch-plan.ts";
import type { CosmosContext } from "./context.ts";
import { cosmosCollection, findDocument } from "./cosmos-collection.ts";
import { acquireInTurn } from "./fair-acquire.ts";
import { givenBack, type Head, isHeld, leaseOf, renewed, taken, takenBy, withTurn } from "./head.ts";
import { type CosmosDefinition, type HeadItem, headItemId, isStorable, type Versioned } from "./items.ts";
import { findHead, foundHead, replaceHead } from "./stored-head.ts";

/** Backoff, in ms, of a document with secrets that cannot be decrypted. */
const unreadableBackoffMs = 60_000;

/** Number of candidates that are read in addition to the limit, because other processes may lease some candidates first. */
const spareCandidates = 8;

/** Creates the read and lease operations of one queued collection. All times are on Cosmos DB's clock. */
export function cosmosQueue<T extends Document>(
  context: CosmosContext,
  store: CosmosDefinition<T>,
): LeasedCollection<T> {
  let last: Promise<unknown> = Promise.resolve();
  return {
    ...cosmosCollection(context, store),
    acquire(options) {
      // Acquisitions of one process run sequentially. Concurrent acquisitions would compete for the same documents.
      const turn = last.then(() =>
        store.definition.fair
          ? acquireInTurn(context, store, options, (written) => openTaken(context, store, written, options))
          : acquire(context, store, options),
      );
      last = turn.catch(() => {});
      return turn;
    },
    acquireIdleById: (options) => acquireIdleById(context, store, options),
    renew: (lease, ttlMs, signal) => renew(context, lease, ttlMs, signal),
    release: (lease, options) => release(context, store, lease, options),
    queueLength: (signal) => queueLength(context, store, signal),
    oldestQueuedSeconds: async () => undefined,
  };
}

async function acquire<T extends Document>(
  context: CosmosContext,
  store: CosmosDefinition<T>,
  options: AcquireOptions,
): Promise<readonly Leased<T>[]> {
  const leased: Leased<T>[] = [];
  options.signal.throwIfAborted();
  while (leased.length < options.limit) {
    const wanted = options.limit - leased.length;
    const candidates = await waiting(context, store, wanted + spareCandidates, options.signal);
    let offered = 0;
    while (leased.length < options.limit && offered < candidates.length) {
      const some = candidates.slice(offered, offered + options.limit - leased.length);
      offered += some.length;
      const taken = await Promise.all(some.map((each) => take(context, store, each, options)));
      leased.push(...taken.filter((each) => each !== undefined));
    }
    if (candidates.length < wanted + spareCandidates) break;
  }
  return leased;
}

/** Returns the first queued documents that are unleased, due and not in backoff. */
async function waiting<T extends Document>(
  { connection }: CosmosContext,
  { definition }: CosmosDefinition<T>,
  limit: number,
  signal: AbortSignal,
): Promise<readonly FoundHead[]> {
  const query = {
    query: `SELECT TOP ${limit} * FROM c WHERE ${waits} AND c.notBefore <= @now ORDER BY c["order"]`,
    parameters: waitParameters(definition.name, connection.clock.nowMs()),
  };
  const items = await connection.query<Versioned<HeadItem>>(connection.documents, query, undefined, signal);
  return items.map(foundHead);
}

const waits =
  'c.kind = "head" AND c.collection = @collection AND IS_DEFINED(c["order"]) AND c.leaseExpires <= @now AND c.dueAt <= @now';

function waitParameters(collection: string, now: number) {
  return [
    { name: "@collection", value: collection },
    { name: "@now", value: now },
  ];
}

async function queueLength<T extends Document>(
  { connection }: CosmosContext,
  { definition }: CosmosDefinition<T>,
  signal: AbortSignal,
): Promise<QueueLength> {
  const parameters = waitParameters(definition.name, connection.clock.nowMs());
  const count = async (condition: string) => {
    const query = { query: `SELECT VALUE COUNT(1) FROM c WHERE ${condition}`, parameters };
    const [counted = 0] = await connection.query<number>(connection.documents, query, undefined, signal);
    return counted;
  };
  const [all, begun] = await Promise.all([
    count(waits),
    count(`${waits} AND (IS_DEFINED(c.leaseOwner) OR c.turn = 0)`),
  ]);
  return { begun, fresh: all - begun };
}

/**
 * Leases a candidate. Returns `undefined` if a different process leased the document first, or if the document's secrets cannot
 * be decrypted.
 */
async function take<T extends Document>(
  context: CosmosContext,
  store: CosmosDefinition<T>,
  candidate: FoundHead,
  options: AcquireOptions,
): Promise<Leased<T> | undefined> {
  const { connection } = context;
  const next = takenBy(candidate.head, options, connection.clock);
  const written = await replaceHead(connection, candidate, next, options.signal);
  return written && openTaken(context, store, written, options);
}

/** Reads the document of a newly leased head. Returns `undefined` if a worker cannot process it. */
async function openTaken<T extends Document>(
  context: CosmosContext,
  store: CosmosDefinition<T>,
  written: FoundHead,
  { signal }: AcquireOptions,
): Promise<Leased<T> | undefined> {
  const { head } = written;
  const lease = leaseOf(head);
  try {
    const stored = await readLeased(context, store, written, signal);
    return stored && { ...stored, lease, attempt: head.attempts };
  } catch (error) {
    if (!isCoded(error) || !["EncryptionKeyMissing", "SecretTampered"].includes(error.code)) throw error;
    context.logger.error(
      { collection: head.collection, id: head.documentId, code: error.code, reason: error.message },
      "the secrets of a queued document cannot be decrypted; it is skipped for a minute",
    );
    // The attempt does not count, because no worker received the document.
    await release(context, store, lease, { backoffMs: unreadableBackoffMs, uncounted: true, signal });
    return undefined;
  }
}

/** Reads and decrypts the document of a newly leased head. */
async function readLeased<T extends Document>(
  { connection, ...context }: CosmosContext,
  store: CosmosDefinition<T>,
  { head, etag }: FoundHead,
  signal: AbortSignal,
): Promise<Stored<T> | undefined> {
  const { partitionKey, documentId } = head;
  const stored = await findDocument({ connection, ...context }, store, partitionKey, documentId, signal);
  // The document has expired, but heartbeats have extended the life of its head. Deletes the head.
  if (!stored) await connection.delete(connection.documents, partitionKey, head.id, etag, signal);
  else store.codec.openSecrets(stored.document);
  return stored;
}

async function acquireIdleById<T extends Document>(
  context: CosmosContext,
  store: CosmosDefinition<T>,
  { partitionKey, id, owner, ttlMs, signal }: AcquireIdleOptions,
): Promise<Leased<T> | undefined> {
  const { connection } = context;
  const { name } = store.definition;
  if (!isStorable(name, partitionKey, id)) return undefined;
  for (;;) {
    const found = await findHead(connection, partitionKey, headItemId(name, id), signal);
    if (!found || found.head.queuedAt !== undefined) return undefined;
    if (found.head.leaseExpires > connection.clock.nowMs()) return undefined;
    const next = taken(found.head, owner, ttlMs, connection.clock);
    const written = await replaceHead(connection, found, next, signal);
    if (!written) continue;
    const lease = leaseOf(next);
    try {
      const stored = await readLeased(context, store, written, signal);
      return stored && { ...stored, lease, attempt: next.attempts };
    } catch (error) {
      await release(context, store, lease, { backoffMs: 0, signal });
      throw error;
    }
  }
}

async function renew(
  { connection }: CosmosContext,
  lease: Lease,
  ttlMs: number,
  signal: AbortSignal,
): Promise<RenewResult> {
  const head = await changeHeld(connection, lease, (held) => renewed(held, ttlMs, connection.clock), signal);
  return head
    ? { kind: "renewed", lease: { ...lease, expiresAt: new Date(head.head.leaseExpires) } }
    : { kind: "lost" };
}

async function release<T extends Document>(
  { connection, publishChange }: CosmosContext,
  { definition }: CosmosDefinition<T>,
  lease: Lease,
  { backoffMs, uncounted = false, signal }: ReleaseOptions,
): Promise<void> {
  const { collection, partitionKey, id } = lease;
  const change = (held: Head) => {
    const next = givenBack(held, backoffMs, uncounted, connection.clock);
    return definition.fair ? withTurn(next, backoffMs, connection.clock) : next;
  };
  const written = await changeHeld(connection, lease, change, signal);
  if (written) publishChange(written.etag, { kind: "changed", collection, partitionKey, id });
}

/** Changes the head of a held lease. Returns `undefined` if the lease is lost. */
async function changeHeld(
  connection: CosmosContext["connection"],
  lease: Lease,
  change: (head: Head) => Head,
  signal: AbortSignal,
): Promise<FoundHead | undefined> {
  const { collection, partitionKey, id } = lease;
  if (!isStorable(collection, partitionKey, id)) return undefined;
  for (;;) {
    const found = await findHead(connection, partitionKey, headItemId(collection, id), signal);
    if (!found || !isHeld(found.head, lease, connection.clock)) return undefined;
    const written = await replaceHead(connection, found, change(found.head), signal);
    if (written) return written;
  }
}
