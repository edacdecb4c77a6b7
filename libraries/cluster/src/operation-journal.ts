import type { ResourceKey } from "@keelson/arm";
import type { JournalDocument, OperationDocument, ServiceDatabase, StepLogDocument } from "@keelson/model";
import type { JournalStore } from "@keelson/workflow";
import { OperationWarnings } from "./operation-warnings.ts";

export interface OperationRef {
  readonly operationId: string;
  /** Subscription ID in lower case. */
  readonly partitionKey: string;
  readonly clusterKey: ResourceKey;
}

/** Creates the journal of a cluster operation. Clients see the operation's progress in the operation status. */
export function operationJournal(
  database: ServiceDatabase,
  { operationId, partitionKey, clusterKey }: OperationRef,
  added = new OperationWarnings(),
): JournalStore<JournalDocument, OperationDocument, StepLogDocument> {
  return {
    database,
    partitionKey,
    operationId,
    entries: database.collections.journal,
    entryOf: (record) => ({ ...record, openShiftClusterKey: clusterKey }),
    logs: {
      collection: database.collections.stepLogs,
      recordOf: (record) => ({ ...record, openShiftClusterKey: clusterKey }),
    },
    progress: {
      operations: database.collections.operations,
      withProgress(document, { running, completedSteps, totalSteps, percentComplete }) {
        const { asyncOperation } = document;
        const warnings = added.after(asyncOperation.properties?.warnings);
        const properties = {
          step: running.join(", "),
          completedSteps,
          totalSteps,
          ...(warnings.length > 0 ? { warnings } : {}),
        };
        return { ...document, asyncOperation: { ...asyncOperation, percentComplete, properties } };
      },
    },
  };
}
