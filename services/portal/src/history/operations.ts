import type { JournalDocument, OperationDocument, ServiceDatabase } from "@keelson/model";
import type { OperationStep, OperationView } from "@keelson/portal-api";

/** Maximum number of operations to read. It exceeds the number of operations of a cluster in the retention of seven days. */
const mostOperations = 100;
const pageSize = 500;
const mostEntries = 5_000;
/** Maximum number of details that the message of an error contains. */
const mostDetails = 10;

/** Reads the operations of a cluster, newest first. Each operation contains the steps in its journal. */
export async function readOperations(
  database: ServiceDatabase,
  partitionKey: string,
  cluster: string,
  signal: AbortSignal,
): Promise<readonly OperationView[]> {
  const query = { partitionKey, where: { openShiftClusterKey: cluster }, orderBy: "newestFirst" };
  const [{ items }, entries] = await Promise.all([
    database.collections.operations.list({ ...query, limit: mostOperations }, signal),
    readJournal(database, partitionKey, cluster, signal),
  ]);
  const byOperation = Map.groupBy(entries, ({ operationId }) => operationId);
  return items.map(({ document }) => operationView(document, byOperation.get(document.id) ?? []));
}

/** Returns an operation with its journal entries. */
export function operationView(
  document: OperationDocument,
  entries: readonly JournalDocument[],
): OperationView {
  const { id, asyncOperation, correlationId } = document;
  const { status, startTime, endTime, percentComplete, properties, error } = asyncOperation;
  const steps = entries.map(stepView).sort((a, b) => a.startedAt.localeCompare(b.startedAt));
  const isRunning = endTime === undefined;
  return {
    id,
    kind: kindOf(document),
    state: status,
    startTime: utc(startTime),
    ...(isRunning ? {} : { endTime: utc(endTime) }),
    ...(percentComplete === undefined ? {} : { percentComplete }),
    currentSteps: isRunning ? stepsIn(properties?.step) : [],
    ...(correlationId === undefined ? {} : { correlationId }),
    ...(error ? { error: { code: error.code, message: messageWithDetails(error) } } : {}),
    steps,
  };
}

/** Returns the message of an error with its details, one per line. A failed deployment names its cause only in the details. */
function messageWithDetails({
  message,
  details = [],
}: NonNullable<OperationDocument["asyncOperation"]["error"]>): string {
  const lines = details.slice(0, mostDetails).map((each) => `${each.code}: ${each.message}`);
  return [message, ...lines].join("\n");
}

/**
 * Returns the kind of an operation. If an older release stored the operation without its kind, the kind is derived from other
 * fields.
 */
function kindOf({ kind, asyncOperation: { status }, openShiftCluster }: OperationDocument): string {
  if (kind) return kind;
  if (status !== "Succeeded" && status !== "Failed") return status;
  if (!openShiftCluster) return "Deleting";
  return openShiftCluster.properties.failedProvisioningState ?? "Updating";
}

function stepView(entry: JournalDocument): OperationStep {
  const { step, startedAt, finishedAt, attempt, state, error } = entry;
  return {
    name: step,
    startedAt: utc(startedAt),
    ...(finishedAt === undefined ? {} : { endedAt: utc(finishedAt) }),
    attempts: Math.max(1, attempt),
    outcome: state === "finished" ? "succeeded" : state,
    ...(error === undefined ? {} : { error }),
  };
}

function stepsIn(text: string | undefined): string[] {
  return (text ?? "").split(", ").filter((step) => step !== "");
}

async function readJournal(
  database: ServiceDatabase,
  partitionKey: string,
  cluster: string,
  signal: AbortSignal,
): Promise<readonly JournalDocument[]> {
  const entries: JournalDocument[] = [];
  let position: { readonly continuation?: string } = {};
  do {
    const query = { partitionKey, where: { openShiftClusterKey: cluster }, limit: pageSize, ...position };
    const { items, continuation } = await database.collections.journal.list(query, signal);
    entries.push(...items.map(({ document }) => document));
    position = continuation === undefined ? {} : { continuation };
  } while (position.continuation !== undefined && entries.length < mostEntries);
  return entries;
}

/** Formats a time as RFC 3339 in UTC. */
function utc(text: string): string {
  return new Date(text).toISOString();
}
