import { isPlainObject } from "@keelson/base";
import type { Container, WriteResult } from "./container.ts";
import { badRequest, CosmosError, tooLarge } from "./errors/cosmos-error.ts";

/** Maximum number of operations in a batch. */
const maxOperations = 100;

const maxBatchBytes = 2 * 1024 * 1024;

interface OperationResult {
  readonly statusCode: number;
  readonly requestCharge: number;
  readonly eTag?: string;
  readonly resourceBody?: unknown;
}

/** Runs a transactional batch. If an operation fails, no operation is applied and the batch returns the error. */
export function runBatch(
  container: Container,
  partitionKey: string,
  body: unknown,
): { readonly status: 200 | 207; readonly results: readonly OperationResult[] } {
  if (!Array.isArray(body) || body.length === 0) throw badRequest("A batch is a list of operations.");
  if (body.length > maxOperations) {
    throw badRequest(`Batch request has more operations than what is supported: ${maxOperations}.`);
  }
  if (Buffer.byteLength(JSON.stringify(body)) > maxBatchBytes) {
    throw tooLarge("Request size is too large: a batch has at most 2 MB.");
  }
  let failing = 0;
  try {
    const results = container.atomically(partitionKey, () =>
      body.map((operation: unknown, index) => {
        failing = index;
        return succeeded(runOperation(container, partitionKey, operation));
      }),
    );
    return { status: 200, results };
  } catch (error) {
    if (!(error instanceof CosmosError)) throw error;
    const { status } = error;
    const results = body.map((_, index) => ({
      statusCode: index === failing ? status : 424,
      requestCharge: 0,
    }));
    return { status: 207, results };
  }
}

function runOperation(container: Container, partitionKey: string, operation: unknown): WriteResult {
  if (!isPlainObject(operation)) throw badRequest("An operation of the batch is not an object.");
  const { operationType, id, resourceBody, ifMatch } = operation;
  const conditions = { ifMatch: typeof ifMatch === "string" ? ifMatch : undefined };
  switch (operationType) {
    case "Create":
      return container.create(partitionKey, resourceBody);
    case "Upsert":
      return container.upsert(partitionKey, resourceBody, conditions);
    case "Replace":
      return container.replace(partitionKey, String(id), resourceBody, conditions);
    case "Delete":
      return container.delete(partitionKey, String(id), conditions);
    case "Read":
      return { status: 200, stored: container.get(partitionKey, String(id)) };
    default:
      throw badRequest(`${String(operationType)} is not a supported batch operation.`);
  }
}

function succeeded({ status, stored }: WriteResult): OperationResult {
  return {
    statusCode: status,
    requestCharge: 1,
    ...(stored ? { eTag: stored.etag, resourceBody: stored.item } : {}),
  };
}
