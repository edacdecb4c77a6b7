import { isPlainObject, valueAt } from "@keelson/base";
import { restPipeline } from "./sdks.ts";
import { type SignedRequestOptions, signedPipeline } from "./signed-pipeline.ts";

export interface CheckAccessOptions extends SignedRequestOptions {
  /**
   * Service URL, for example
   * `https://eastus.authorization.azure.net/providers/Microsoft.Authorization/checkAccess?api-version=2021-06-01-preview`.
   */
  readonly url: string;
  /** Audience of the access tokens for this service. */
  readonly audience: string;
}

/**
 * Returns the first action that a principal is not allowed to perform on a resource. Roles that were assigned in the last minutes
 * may not be effective yet.
 * @see Azure/checkaccess-v2-go-sdk client/types.go
 */
export async function findForbiddenAction(
  options: CheckAccessOptions,
  principalId: string,
  resourceId: string,
  actions: readonly string[],
  abortSignal: AbortSignal,
): Promise<string | undefined> {
  const { createPipelineRequest, RestError } = restPipeline();
  const request = createPipelineRequest({
    url: options.url,
    method: "POST",
    abortSignal,
    body: JSON.stringify({
      Subject: { Attributes: { ObjectId: principalId } },
      Actions: actions.map((action) => ({ Id: action })),
      Resource: { Id: resourceId },
    }),
  });
  request.headers.set("content-type", "application/json");
  const response = await signedPipeline(options, options)(request);
  const statusCode = response.status;
  if (statusCode !== 200) {
    const { host } = new URL(options.url);
    throw new RestError(`${host} returned status ${statusCode} for an access check`, {
      statusCode,
      request,
      response,
    });
  }
  const allowed = allowedActions(JSON.parse(response.bodyAsText ?? ""));
  return actions.find((action) => !allowed.has(action.toLowerCase()));
}

function allowedActions(body: unknown): ReadonlySet<string> {
  const decisions: unknown = valueAt(body, "value");
  if (!Array.isArray(decisions)) return new Set();
  return new Set(
    decisions
      .filter((each) => isPlainObject(each) && each.accessDecision === "Allowed")
      .map(({ actionId }) => `${actionId}`.toLowerCase()),
  );
}
