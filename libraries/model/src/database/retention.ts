import { definitions } from "./collections.ts";

/** Retention of finished records in days, counted from their last write. */
export interface Retention {
  /** Retention of cluster operations and their journals in days. */
  readonly operationDays: number;
  /** Retention of administrators' actions in days. */
  readonly adminActionDays: number;
  /** Retention of SSH recordings in days. */
  readonly recordingDays: number;
}

export const defaultRetention: Retention = { operationDays: 7, adminActionDays: 7, recordingDays: 90 };

const daySeconds = 86_400;

/** Returns the service's collections with these retention times. Records that are already stored keep their previous lifetime. */
export function definitionsWith(retention: Retention): typeof definitions {
  const lifetime = (days: number) => ({ ttlSeconds: days * daySeconds });
  return {
    ...definitions,
    operations: { ...definitions.operations, ...lifetime(retention.operationDays) },
    journal: { ...definitions.journal, ...lifetime(retention.operationDays) },
    stepLogs: { ...definitions.stepLogs, ...lifetime(retention.operationDays) },
    adminActions: { ...definitions.adminActions, ...lifetime(retention.adminActionDays) },
    sshRecordings: { ...definitions.sshRecordings, ...lifetime(retention.recordingDays) },
  };
}
