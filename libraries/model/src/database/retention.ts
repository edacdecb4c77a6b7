import { definitions } from "./collections.ts";

/** Days for which finished records are stored, from their last write. */
export interface Retention {
  /** Operations of clusters and their journals. */
  readonly operationDays: number;
  /** Actions of administrators. */
  readonly adminActionDays: number;
  /** Recordings of SSH connections. */
  readonly recordingDays: number;
}

export const defaultRetention: Retention = { operationDays: 7, adminActionDays: 7, recordingDays: 90 };

const daySeconds = 86_400;

/** The collections of the service with other lifetimes. Records that are stored already expire as they were written. */
export function definitionsWith(retention: Retention): typeof definitions {
  const lifetime = (days: number) => ({ ttlSeconds: days * daySeconds });
  return {
    ...definitions,
    operations: { ...definitions.operations, ...lifetime(retention.operationDays) },
    journal: { ...definitions.journal, ...lifetime(retention.operationDays) },
    adminActions: { ...definitions.adminActions, ...lifetime(retention.adminActionDays) },
    sshRecordings: { ...definitions.sshRecordings, ...lifetime(retention.recordingDays) },
  };
}
