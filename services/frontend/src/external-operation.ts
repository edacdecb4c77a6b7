import type { FoundOperation } from "./found-operation.ts";

/** An operation as its callers may see it: no end and no error before it has ended for them. */
export function externalOperation({ stage, status, document }: FoundOperation): object {
  const { id, name, startTime, endTime, percentComplete, properties, error } = document.asyncOperation;
  const progress = { percentComplete, properties };
  if (stage === "ended") return { id, name, status, startTime, endTime, ...progress, error };
  return { id, name, status, startTime, ...progress };
}
