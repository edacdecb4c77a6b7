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

/** Requested write with its collection and the document as it will be stored. */
export interface ResolvedWrite extends RequestedWrite<CosmosDefinition<Document>> {
  /** Item to store. Undefined for a removal, and for a condition without a write. */
  readonly item: DocumentItem | undefined;
}

/** Head item of a document (see `HeadItem`), with its etag at the time of the read. */
export interface FoundHead {
  readonly head: Head;
  readonly etag: string;
}

/** Operation of the batch, and the cause that a failure of this operation indicates. */
export interface PlannedOperation {
  /** The SDK's type lacks `ifMatch` for deletions, although the SDK and Cosmos DB support it. */
  readonly operation: OperationInput & { readonly ifMatch?: string };
  readonly role:
    | { readonly kind: "write"; readonly index: number }
    /** Fails if the head has changed since it was read. The head must then be read again. */
    | { readonly kind: "head" }
    /** Fails if a different process has cancelled this commit. */
    | { readonly kind: "claim" };
  /** Change that the feed will report for the item of this operation. */
  readonly publishes?: Change;
}

export interface BatchPlan {
  readonly operations: readonly PlannedOperation[];
  /** Heads of documents that are created with a lease. */
  readonly leasedHeads: readonly Head[];
}

export interface PlanInput {
  readonly partitionKey: string;
  readonly writes: readonly ResolvedWrite[];
  /** Heads of replaced and removed documents and of the leased document, by item ID. */
  readonly heads: ReadonlyMap<string, FoundHead>;
  readonly leaseUse: LeaseUse | undefined;
  /** Token of the commit. Set if the commit assigns unique values to documents. */
  readonly claimToken: string | undefined;
  readonly clock: ServerClock;
}

/** Maximum number of operations in a batch. */
export const maxOperations = 100;

const noVersion = '"00000000-0000-0000-0000-000000000000"';

/**
 * Plans the batch of a commit. Every operation has a condition. Documents must have the version that the writer read. Heads must
 * have the version that this commit read. Created items must not exist. The leased head is the first operation, so that a lost
 * lease is reported before other failures. A condition without a write rewrites the document's head, because Cosmos DB ignores
 * conditions of reads in batches.
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

/**
 * Returns the operations that verify the lease. The head of the leased document is always written, even if it does not change.
 */
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

/** Returns the head after the commit. Returns `undefined` if the document has no head. */
function plannedHead({ heads, leaseUse, clock }: PlanInput, each: ResolvedWrite): Head | undefined {
  const { write, store, id } = each;
  if (!("document" in write) || !hasHead(store.definition)) return undefined;
  const before = write.kind === "create" ? undefined : heads.get(headItemId(store.definition.name, id))?.head;
  const head = headAfterWrite(store, write.document, before, clock);
  if (write.kind === "create") return write.lease ? leasedFromTheStart(head, write.lease, clock) : head;
  // The commit publishes the change of the document itself, so the change of the head is not published.
  return leaseUse?.release && isLeased(each, leaseUse) ? { ...released(head), isGivenBack: false } : head;
}

function headOperations(
  { heads }: PlanInput,
  { write, store, id }: ResolvedWrite,
  head: Head | undefined,
): PlannedOperation[] {
  const { definition } = store;
  // The creation itself requires that the document does not exist, so the head needs no condition. An existing head belongs to an
  // expired document.
  if (head && write.kind === "create") {
    return [{ operation: { operationType: "Upsert", resourceBody: bodyOf(head) }, role: { kind: "head" } }];
  }
  const found = heads.get(headItemId(definition.name, id));
  if (!found) return [];
  if (write.kind === "unchanged") return [replaceHead(found.head, found.etag)];
  if (!head) return [deleteHead(found)];
  // The head is written even if it does not change. Conditions depend on the head's version, and each write restarts the head's
  // time to live.
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

/** Converts an item to a JSON body. Item types contain only JSON values. */
function bodyOf(item: object | undefined): JSONObject {
  return item as JSONObject;
}

/** Returns a valid etag. A version that Cosmos DB cannot have created is replaced by an etag that no document has. */
function versionOf(etag: string): string {
  return /^"[\w-]+"$/.test(etag) ? etag : noVersion;
}
