import { internalError, sharedTurns } from "@keelson/apimachinery";
import { messageOf } from "@keelson/base";
import type { AdmissionRequest } from "../resources/admission-request.ts";
import type { ServedResource } from "../resources/served-resource.ts";
import type { AdmissionContext } from "./admission-context.ts";
import { parseReview, type ReviewResponse, requestFacts, reviewOf } from "./admission-review.ts";
import type { Webhook } from "./configuration/webhook.ts";

/**
 * Calls a webhook with objects in the version of `resource`. Returns undefined if the call fails and the failure policy is
 * `Ignore`. Adds the webhook's warnings to the client's response.
 * @throws StatusError 500 if the call fails and the failure policy is `Fail`
 */
export async function callWebhook(
  context: AdmissionContext,
  webhook: Webhook,
  request: AdmissionRequest,
  resource: ServedResource,
  patches: boolean,
): Promise<ReviewResponse | undefined> {
  const { name, clientConfig, timeoutSeconds, failurePolicy } = webhook;
  // Each webhook receives the complete object. Serializing a large object takes long, so other requests may run first.
  await sharedTurns.next(context.store, request.budget);
  const facts = requestFacts(request, resource);
  const { apiVersion, body } = reviewOf(webhook, facts);
  try {
    const answer = await ask(() => context.webhooks.post(clientConfig, body, timeoutSeconds, context.signal));
    const response = check(() => parseReview(answer, facts.uid, apiVersion, patches));
    for (const warning of response.warnings) request.warn(warning);
    if (Object.keys(response.auditAnnotations).length > 0) {
      context.logger.debug(
        { webhook: name, annotations: response.auditAnnotations },
        "webhook returned audit annotations",
      );
    }
    return response;
  } catch (error) {
    const why = `failed calling webhook "${name}": ${messageOf(error)}`;
    context.logger.warn({ webhook: name, failurePolicy, error: messageOf(error) }, "webhook call failed");
    if (failurePolicy === "Ignore") return undefined;
    throw internalError(why, error);
  }
}

async function ask<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw new Error(`failed to call webhook: ${messageOf(error)}`, { cause: error });
  }
}

function check<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new Error(`received invalid webhook response: ${messageOf(error)}`, { cause: error });
  }
}
