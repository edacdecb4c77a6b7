import { findOperation } from "../found-operation.ts";
import type { Route } from "../route.ts";
import { knownVersionOfNamespace } from "../version-rule.ts";
import { paths } from "./paths.ts";

/** How far an operation is: always 200, also for one that failed. */
export const operationStatus: Route = {
  method: "GET",
  path: paths.operationStatus,
  versions: knownVersionOfNamespace,
  authorization: "caller",
  async handle(exchange, { database, retryAfterSeconds }) {
    const { stage, status, document } = await findOperation(exchange, database);
    const { id, name, startTime, endTime, percentComplete, properties, error } = document.asyncOperation;
    const progress = { percentComplete, properties };
    if (stage === "ended") {
      return { status: 200, body: { id, name, status, startTime, endTime, ...progress, error } };
    }
    return {
      status: 200,
      headers: { "retry-after": `${retryAfterSeconds}` },
      body: { id, name, status, startTime, ...progress },
    };
  },
};
