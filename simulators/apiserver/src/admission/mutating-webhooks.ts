import { isDeepStrictEqual } from "node:util";
import { internalError, type KubeObject, requestBudget } from "@keelson/apimachinery";
import { messageOf, WorkBudgetExceeded } from "@keelson/base";
import type { AdmissionRequest } from "../resources/admission-request.ts";
import { patchFairly } from "../threads/patch-task.ts";
import type { AdmissionContext } from "./admission-context.ts";
import { denial } from "./admission-review.ts";
import { callWebhook } from "./call-webhook.ts";
import { changedObject, shownObject } from "./object-version.ts";
import type { Candidate, WebhookIndex } from "./webhook-index.ts";

/**
 * Calls mutating webhooks one after the other and returns the resulting object. Webhooks with
 * `reinvocationPolicy: IfNeeded` are called again if a later webhook changed the object.
 * @throws StatusError
 */
export async function mutateByWebhooks(
  context: AdmissionContext,
  index: WebhookIndex,
  request: AdmissionRequest,
): Promise<KubeObject | undefined> {
  let current = request;
  const asked: Candidate[] = [];
  const again = new Set<Candidate>();
  for (const candidate of index.candidates(request)) {
    if (!index.isFor(candidate, current)) continue;
    const next = await askOne(context, candidate, current);
    if (!isDeepStrictEqual(next, current.object)) {
      for (const each of asked) if (each.webhook.reinvoked) again.add(each);
      current = { ...current, object: next };
    }
    asked.push(candidate);
  }
  for (const candidate of again) {
    if (!index.isFor(candidate, current)) continue;
    current = { ...current, object: await askOne(context, candidate, current) };
  }
  return current.object;
}

async function askOne(
  context: AdmissionContext,
  { webhook, match }: Candidate,
  request: AdmissionRequest,
): Promise<KubeObject | undefined> {
  const response = await callWebhook(context, webhook, request, match.resource, true);
  if (!response) return request.object;
  if (!response.allowed) throw denial(webhook, response.status);
  if (response.patch === undefined || !request.object) return request.object;
  const { object, budget = requestBudget() } = request;
  const shown = shownObject(match.resource, request, object);
  try {
    const input = { type: "json", object: shown, patch: response.patch } as const;
    return changedObject(match.resource, request, object, await patchFairly(context.store, input, budget));
  } catch (error) {
    if (error instanceof WorkBudgetExceeded) throw error;
    throw internalError(messageOf(error), error);
  }
}
