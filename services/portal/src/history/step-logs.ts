import type { ServiceDatabase } from "@keelson/model";
import type { StepLogs } from "@keelson/portal-api";
import { portalErrors } from "../errors/portal-errors.ts";
import { printable } from "../text/printable.ts";

/** Maximum number of steps with log lines to read. It exceeds the number of steps of an operation. */
const maxSteps = 500;

/**
 * Reads the log lines of an operation's steps.
 * @throws BadRequest
 */
export async function readStepLogs(
  database: ServiceDatabase,
  { partitionKey, cluster, operationId }: OperationKey,
  signal: AbortSignal,
): Promise<StepLogs> {
  if (!/^[\da-z-]{1,64}$/.test(operationId))
    throw portalErrors.BadRequest("The ID of the operation is invalid.");
  const query = { partitionKey, where: { operationId }, limit: maxSteps };
  const { items } = await database.collections.stepLogs.list(query, signal);
  const ofCluster = items.filter(({ document }) => document.openShiftClusterKey === cluster);
  return {
    steps: ofCluster.map(({ document: { step, omitted, entries } }) => ({
      name: step,
      omitted,
      entries: entries.map(({ at, level, message, details, attempt, error }) => ({
        at,
        level,
        message: printable(message),
        ...(details === undefined ? {} : { details: printable(details) }),
        ...(attempt === undefined ? {} : { attempt }),
        ...(error === undefined ? {} : { error: printable(error) }),
      })),
    })),
  };
}

interface OperationKey {
  readonly partitionKey: string;
  /** Lower-case resource ID of the cluster. */
  readonly cluster: string;
  readonly operationId: string;
}
