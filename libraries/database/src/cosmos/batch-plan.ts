import type { JSONObject, OperationInput } from "@azure/cosmos";
import type { Document } from "../documents/collection.ts";
import type { LeaseUse, RequestedWrite } from "../documents/commit-request.ts";
import type { Change } from "../documents/database.ts";
import { errors } from "../documents/errors.ts";
import { type Head, headAfterWrite, leasedFromTheStart, released } from "./head.ts";
import {
  type CosmosDefinition,
  claimItem,
  type DocumentItem,
  documentItemId,
  hasHead,
  headItemId,
  removalItem,
} from "./items.ts";
import type { ServerClock } from "./server-clock.ts";

/** Write with its collection and the document as it will be stored. */
export interface ResolvedWrite extends RequestedWrite<CosmosDefinition<Document>> {
  /** Absent for a removal and a condition. */
  readonly item: DocumentItem | undefined;
}

/** A head as it was read. */
export interface FoundHead {
  readonly head: Head;
  readonly etag: string;
}

/** Operation of the batch, and the meaning of its failure. */
export interface PlannedOperation {
  /** Cosmos DB accepts conditions on deletions too. The SDK passes them on, but its type lacks them. */
  readonly operation: OperationInput & { readonly ifMatch?: string };
  readonly role:
    | { readonly kind: "write"; readonly index: number }
    /** Fails when the head has changed since it was read: read it again. */
    | { readonly kind: "head" }
    /** Fails if a different process has claimed that this commit must not happen. */
    | { readonly kind: "claim" };
  /** The change that the feed will publish for the item of this operation. */
  readonly publishes?: Change;
}

export interface BatchPlan {
  readonly operations: readonly PlannedOperation[];
  /** Heads of the documents that are created with a lease. */
  readonly leasedHeads: readonly Head[];
}

export interface PlanInput {
  readonly partitionKey: string;
  readonly writes: readonly ResolvedWrite[];
  /** Heads of replaced and removed documents and of the leased document, by item ID. */
  readonly heads: ReadonlyMap<string, FoundHead>;
  readonly leaseUse: LeaseUse | undefined;
  /** Present if the commit gives unique values to documents. */
  readonly claimToken: string | undefined;
  readonly clock: ServerClock;
}

/** A batch has no more operations. */
export const maxOperations = 100;

const noVersion = '"00000000-0000-0000-0000-000000000000"';

/**
 * Plans the batch of a commit. Every operation has a condition: documents need the version that the writer
 * read, heads the version that this commit read, and creations an absent item. The head of the lease is
 * first, so that a failure reports a lost lease before anything else. A condition alone rewrites the head of
 * its document, as each change of a document does, because Cosmos DB ignores the conditions of reads in
 * batches.
 * @throws InvalidWrite if the batch is too large
 */
export function planBatch(input: PlanInput): BatchPlan {
  const { partitionKey, writes, leaseUse, claimToken } = input;
  const leasedHeads: Head[] = [];
  const operations = [
    ...leaseOperations(input),
    ...(claimToken === undefined ? [] : [claimOperation(partitionKey, claimToken)]),
    ...writes.flatMap((each, index) => {
      const head = plannedHead(input, each);
      if (head && each.write.kind === "create" && each.write.lease) leasedHeads.push(head);
      return [
        ...documentOperations(partitionKey, each, index),
        ...(isLeased(each, leaseUse) ? [] : headOperations(input, each, head)),
      ];
    }),
  ];
  if (operations.length > maxOperations) {
    throw errors.InvalidWrite(
      `A commit of ${writes.length} documents takes ${operations.length} operations of Cosmos DB. The limit is ` +
        `${maxOperations} in one batch: write fewer documents in one commit.`,
    );
  }
  return { operations, leasedHeads };
}

export function isLeased({ write, id }: ResolvedWrite, use: LeaseUse | undefined): boolean {
  const changes = write.kind === "replace" || write.kind === "remove";
  return changes && write.collection === use?.lease.collection && id === use.lease.id;
}

/** Proves the lease: the head of the leased document is written in any case, even if nothing of it changes. */
function leaseOperations(input: PlanInput): PlannedOperation[] {
  const { leaseUse, writes, heads, partitionKey } = input;
  if (!leaseUse) return [];
  const { collection, id } = leaseUse.lease;
  const found = heads.get(headItemId(collection, id));
  if (!found) return [];
  const own = writes.find((each) => isLeased(each, leaseUse));
  if (own?.write.kind === "remove") return [deleteHead(found)];
  if (own) {
    const head = plannedHead(input, own);
    return head ? [replaceHead(head, found.etag)] : [];
  }
  if (!leaseUse.release) return [replaceHead(found.head, found.etag)];
  const publishes: Change = { kind: "changed", collection, partitionKey, id };
  return [{ ...replaceHead(released(found.head), found.etag), publishes }];
}

function documentOperations(
  partitionKey: string,
  { write, id, item, store }: ResolvedWrite,
  index: number,
): PlannedOperation[] {
  if (write.kind === "unchanged") return [];
  const collection = store.definition.name;
  const role = { kind: "write" as const, index };
  const publishes: Change = { kind: "changed", collection, partitionKey, id };
  if (write.kind === "create") {
    return [{ operation: { operationType: "Create", resourceBody: bodyOf(item) }, role, publishes }];
  }
  const place = { id: documentItemId(collection, id), ifMatch: versionOf(write.etag) };
  if (write.kind === "replace") {
    return [
      { operation: { operationType: "Replace", ...place, resourceBody: bodyOf(item) }, role, publishes },
    ];
  }
  const removal = bodyOf(removalItem(collection, partitionKey, id));
  return [
    { operation: { operationType: "Delete", ...place }, role },
    { operation: { operationType: "Upsert", resourceBody: removal }, role, publishes },
  ];
}

/** Returns the head after the commit, `undefined` if the document has no head. */
function plannedHead({ heads, leaseUse, clock }: PlanInput, each: ResolvedWrite): Head | undefined {
  const { write, store, id } = each;
  if (!("document" in write) || !hasHead(store.definition)) return undefined;
  const before = write.kind === "create" ? undefined : heads.get(headItemId(store.definition.name, id))?.head;
  const head = headAfterWrite(store, write.document, before, clock);
  if (write.kind === "create") return write.lease ? leasedFromTheStart(head, write.lease, clock) : head;
  // The change of the document is published, so that of its head need not be.
  return leaseUse?.release && isLeased(each, leaseUse) ? { ...released(head), isGivenBack: false } : head;
}

function headOperations(
  { heads }: PlanInput,
  { write, store, id }: ResolvedWrite,
  head: Head | undefined,
): PlannedOperation[] {
  const { definition } = store;
  // The creation of the document is the condition. An existing head without a document belongs to an expired
  // document.
  if (head && write.kind === "create") {
    return [{ operation: { operationType: "Upsert", resourceBody: bodyOf(head) }, role: { kind: "head" } }];
  }
  const found = heads.get(headItemId(definition.name, id));
  if (!found) return [];
  if (write.kind === "unchanged") return [replaceHead(found.head, found.etag)];
  if (!head) return [deleteHead(found)];
  // The head is written even if it does not change: conditions depend on its version, and its time to live
  // starts at its last write.
  return [replaceHead(head, found.etag)];
}

function replaceHead(head: Head, etag: string): PlannedOperation {
  const operation = {
    operationType: "Replace" as const,
    id: head.id,
    ifMatch: etag,
    resourceBody: bodyOf(head),
  };
  return { operation, role: { kind: "head" } };
}

function deleteHead({ head, etag }: FoundHead): PlannedOperation {
  return { operation: { operationType: "Delete", id: head.id, ifMatch: etag }, role: { kind: "head" } };
}

function claimOperation(partitionKey: string, token: string): PlannedOperation {
  const resourceBody = bodyOf(claimItem(partitionKey, token));
  return { operation: { operationType: "Create", resourceBody }, role: { kind: "claim" } };
}

/** Items are JSON by their types. */
function bodyOf(item: object | undefined): JSONObject {
  return item as JSONObject;
}

/**
 * Replaces a version that Cosmos DB cannot have made with one that no document has: a condition must be a
 * valid etag.
 */
function versionOf(etag: string): string {
  return /^"[\w-]+"$/.test(etag) ? etag : noVersion;
}
