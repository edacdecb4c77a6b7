import { externalOperation } from "../external-operation.ts";
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
    const found = await findOperation(exchange, database);
    return {
      status: 200,
      headers: found.stage === "running" ? { "retry-after": `${retryAfterSeconds}` } : {},
      body: externalOperation(found),
    };
  },
};
