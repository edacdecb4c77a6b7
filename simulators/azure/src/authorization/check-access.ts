import { ArmError, badRequest } from "../arm/arm-error.ts";
import { type ArmResponse, ok } from "../arm/exchange.ts";
import type { Principal } from "../arm/principal.ts";
import type { Subscription } from "../arm/subscription.ts";
import { nonEmptyStringAt, objectsAt } from "../base/json.ts";
import { Directory } from "../entra/directory.ts";
import { requireToken } from "../entra/require-token.ts";
import type { Tokens } from "../entra/tokens.ts";
import type { RequestBody } from "../requests/request-body.ts";
import { denialOf } from "./denials.ts";
import { isAllowed, rightsAt } from "./rights.ts";

/** Required audience of tokens for this service. */
const audience = "https://authorization.azure.net";

const bodyLimit = 1024 * 1024;

export interface CheckAccessRequest {
  readonly method: string;
  readonly authorization: string | undefined;
  readonly body: RequestBody;
}

export function isCheckAccess(segments: readonly string[]): boolean {
  return /^providers\/microsoft\.authorization\/checkaccess$/i.test(segments.join("/"));
}

/**
 * Checks the access of any principal to any resource. Other Azure services call this endpoint.
 * @see Azure/checkaccess-v2-go-sdk client/types.go
 */
export async function checkAccess(
  subscription: Subscription,
  tokens: Tokens,
  { method, authorization, body: given }: CheckAccessRequest,
): Promise<ArmResponse> {
  await requireToken(tokens, audience, authorization);
  if (method !== "POST") throw new ArmError(405, "HttpMethodNotAllowed", "Rights are asked for with POST.");
  const body = await given.json(bodyLimit);
  const objectId = nonEmptyStringAt(body, "Subject", "Attributes", "ObjectId");
  const scope = nonEmptyStringAt(body, "Resource", "Id");
  if (!objectId || !scope) {
    throw badRequest("InvalidRequestContent", "The request needs a subject's ObjectId and a resource's Id.");
  }
  const found = new Directory(subscription.store).findPrincipal(objectId)?.entry;
  const subject = found && { objectId, clientId: "clientId" in found ? found.clientId : "" };
  return ok({
    value: objectsAt(body, "Actions").map((each) =>
      decide(subscription, subject, scope, nonEmptyStringAt(each, "Id") ?? ""),
    ),
    nextLink: "",
  });
}

function decide(subscription: Subscription, subject: Principal | undefined, scope: string, actionId: string) {
  const allowed =
    subject !== undefined &&
    isAllowed(rightsAt(subscription, subject, scope), actionId) &&
    !denialOf(subscription, subject, { scope, action: actionId });
  return { actionId, accessDecision: allowed ? "Allowed" : "NotAllowed", timeToLiveInMs: 300_000 };
}
