import { type CloudErrorBody, cloudErrorStatus } from "@keelson/arm";
import { toExternal } from "@keelson/model";
import type { Answer } from "../answer.ts";
import type { Exchange } from "../exchange.ts";
import { findOperation } from "../found-operation.ts";
import type { Route } from "../route.ts";
import { knownVersionOfNamespace } from "../version-rule.ts";
import { paths } from "./paths.ts";

/**
 * What an operation made, for clients that poll `Location`: 202 while it runs, then the cluster as it was
 * at the end, or 204 after a deletion. A deletion that failed answers its error: Azure/ARO-RP answers 200
 * there (pkg/frontend/asyncoperationresult_get.go), which such clients take for success.
 */
export const operationResult: Route = {
  method: "GET",
  path: paths.operationResult,
  versions: knownVersionOfNamespace,
  authorization: "caller",
  async handle(exchange, { database, retryAfterSeconds }) {
    const { stage, status, document } = await findOperation(exchange, database);
    if (stage === "running") return running(exchange, retryAfterSeconds);
    const { openShiftCluster, asyncOperation } = document;
    const deleted = !openShiftCluster || openShiftCluster.properties.failedProvisioningState === "Deleting";
    if (status === "Failed" && deleted) return failed(asyncOperation.error);
    if (!openShiftCluster) return { status: 204 };
    return { status: 200, body: toExternal(exchange.version, openShiftCluster, "read") };
  },
};

function running(exchange: Exchange, retryAfterSeconds: number): Answer {
  const headers = { location: exchange.callerUrl(), "retry-after": `${retryAfterSeconds}` };
  return { status: 202, headers };
}

function failed(error: CloudErrorBody | undefined): Answer {
  const body = error ?? { code: "InternalServerError", message: "Internal server error." };
  const known = Object.entries(cloudErrorStatus).find(([code]) => code === body.code);
  return { status: known?.[1] ?? 500, body: { error: body } };
}
