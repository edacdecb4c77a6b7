import { type CloudErrorBody, cloudErrorStatus } from "@keelson/arm";
import { toExternal } from "@keelson/model";
import { paths } from "../http/messages/paths.ts";
import type { RequestContext } from "../http/messages/request-context.ts";
import type { Response } from "../http/messages/response.ts";
import { knownVersionOfNamespace } from "../http/messages/version-rule.ts";
import type { Route } from "../http/route.ts";
import { externalOperation, findOperation, operationWithProgress } from "./find-operation.ts";

/** Value of the `Prefer` header with which clients request the progress of an operation. */
const progressPreference = "keelson-progress";

/** Returns the status of an operation. The HTTP status is 200, even if the operation failed. */
export const operationStatus: Route = {
  method: "GET",
  path: paths.operationStatus,
  versions: knownVersionOfNamespace,
  async handle(request, { database, retryAfterSeconds }) {
    const found = await findOperation(request, database);
    const wantsProgress = request.prefers(progressPreference);
    return {
      status: 200,
      headers: {
        ...(found.stage === "running" ? { "retry-after": `${retryAfterSeconds}` } : {}),
        ...(wantsProgress ? { "preference-applied": progressPreference } : {}),
      },
      body: wantsProgress ? operationWithProgress(found) : externalOperation(found),
    };
  },
};

/**
 * Returns the result of an operation to clients that poll `Location`. The HTTP status is 202 while the operation runs.
 * Afterwards, the response contains the cluster, or has the status 204 after a deletion. A failed deletion returns its error,
 * unlike in Azure/ARO-RP (pkg/frontend/asyncoperationresult_get.go). Azure/ARO-RP returns 200, which clients mistake for a
 * success.
 */
export const operationResult: Route = {
  method: "GET",
  path: paths.operationResult,
  versions: knownVersionOfNamespace,
  async handle(request, { database, retryAfterSeconds }) {
    const { stage, status, document } = await findOperation(request, database);
    if (stage === "running") return running(request, retryAfterSeconds);
    const { openShiftCluster, asyncOperation } = document;
    const deleted = !openShiftCluster || openShiftCluster.properties.failedProvisioningState === "Deleting";
    if (status === "Failed" && deleted) return failed(asyncOperation.error);
    if (!openShiftCluster) return { status: 204 };
    return { status: 200, body: toExternal(request.version, openShiftCluster, "read") };
  },
};

function running(request: RequestContext, retryAfterSeconds: number): Response {
  const headers = { location: request.callerUrl().href, "retry-after": `${retryAfterSeconds}` };
  return { status: 202, headers };
}

function failed(error: CloudErrorBody | undefined): Response {
  const body = error ?? { code: "InternalServerError", message: "Internal server error." };
  const known = Object.entries(cloudErrorStatus).find(([code]) => code === body.code);
  return { status: known?.[1] ?? 500, body: { error: body } };
}
