import type { AdmissionRequest } from "../resources/admission-request.ts";
import type { AdmissionContext } from "./admission-context.ts";
import { denial } from "./admission-review.ts";
import { callWebhook } from "./call-webhook.ts";
import type { Candidate, WebhookIndex } from "./webhook-index.ts";

/** Maximum number of concurrent webhook calls for one request, because each call sends the complete object. */
const askedAtOnce = 16;

/**
 * Calls all validating webhooks, several of them concurrently. Resolves if all webhooks allow the request.
 * @throws StatusError
 */
export async function validateByWebhooks(
  context: AdmissionContext,
  index: WebhookIndex,
  request: AdmissionRequest,
): Promise<void> {
  const candidates = index.candidates(request).filter((each) => index.isFor(each, request));
  for (let at = 0; at < candidates.length; at += askedAtOnce) {
    const some = candidates.slice(at, at + askedAtOnce);
    const outcomes = await Promise.allSettled(some.map((each) => askOne(context, each, request)));
    for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
  }
}

async function askOne(
  context: AdmissionContext,
  { webhook, match }: Candidate,
  request: AdmissionRequest,
): Promise<void> {
  const response = await callWebhook(context, webhook, request, match.resource, false);
  if (response && !response.allowed) throw denial(webhook, response.status);
}
