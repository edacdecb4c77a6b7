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

/** One write with what its collection knows, and the document as it will be stored. */
export interface ResolvedWrite extends RequestedWrite<CosmosDefinition<Document>> {
  /** Absent for a removal and a condition. */
  readonly item: DocumentItem | undefined;
}

/** A head as it was read. */
export interface FoundHead {
  readonly head: Head;
  readonly etag: string;
}

/** One operation of the batch, and what its failure means. */
export interface PlannedOperation {
  /** The service takes conditions on deletions too; the SDK passes them on without having typed them. */
  readonly operation: OperationInput & { readonly ifMatch?: string };
  readonly role:
    | { readonly kind: "write"; readonly index: number }
    /** Fails when the head has changed since it was read: read it again. */
    | { readonly kind: "head" }
    /** Fails when another process has claimed that this commit must not happen. */
    | { readonly kind: "claim" };
  /** The change that the feed will publish for the item of this operation. */
  readonly publishes?: Change;
}

export interface BatchPlan {
  readonly operations: readonly PlannedOperation[];
  /** The heads that documents created with a lease get. */
  readonly leasedHeads: readonly Head[];
}

export interface PlanInput {
  readonly partitionKey: string;
  readonly writes: readonly ResolvedWrite[];
  /** Of replaced and removed documents, and of the leased one, by the IDs of their items. */
  readonly heads: ReadonlyMap<string, FoundHead>;
  readonly leaseUse: LeaseUse | undefined;
  /** Present when the commit gives documents unique values. */
  readonly claimToken: string | undefined;
  readonly clock: ServerClock;
}

/** A batch has no more operations. */
export const maxOperations = 100;

const noVersion = '"00000000-0000-0000-0000-000000000000"';

/**
 * The batch of a commit. Every operation carries a condition: documents the version that the writer read, heads the
 * one that this commit read, creations that nothing is there. The head of the lease comes first, so that a lost
 * lease is what a failure is about. A condition alone rewrites the head of its document, as every change of a document
 * does: Cosmos DB ignores the conditions of reads in batches.
 * @throws InvalidWrite when it would be too large
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
      `A commit of ${writes.length} documents takes ${operations.length} operations of Cosmos DB, which does at most ` +
        `${maxOperations} at once: write less at once.`,
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

/** The head after the commit; `undefined` where there is none. */
function plannedHead({ heads, leaseUse, clock }: PlanInput, each: ResolvedWrite): Head | undefined {
  const { write, store, id } = each;
  if (!("document" in write) || !hasHead(store.definition)) return undefined;
  const before = write.kind === "create" ? undefined : heads.get(headItemId(store.definition.name, id))?.head;
  const head = headAfterWrite(store, write.document, before, clock);
  if (write.kind === "create") return write.lease ? leasedFromTheStart(head, write.lease, clock) : head;
  // The document's own change is published; its head's need not be.
  return leaseUse?.release && isLeased(each, leaseUse) ? { ...released(head), isGivenBack: false } : head;
}

function headOperations(
  { heads }: PlanInput,
  { write, store, id }: ResolvedWrite,
  head: Head | undefined,
): PlannedOperation[] {
  const { definition } = store;
  // The document itself is the condition: where it was not, a head is what is left of an expired one.
  if (head && write.kind === "create") {
    return [{ operation: { operationType: "Upsert", resourceBody: bodyOf(head) }, role: { kind: "head" } }];
  }
  const found = heads.get(headItemId(definition.name, id));
  if (!found) return [];
  if (write.kind === "unchanged") return [replaceHead(found.head, found.etag)];
  if (!head) return [deleteHead(found)];
  // Also where nothing of it changes: its version is what conditions go by, and its time to live counts from its last write.
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

/** A version that the service did not make is one that no document has; not every text may stand in a condition. */
function versionOf(etag: string): string {
  return /^"[\w-]+"$/.test(etag) ? etag : noVersion;
}
