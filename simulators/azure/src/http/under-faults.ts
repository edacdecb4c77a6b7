import { randomUUID } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import * as jose from "jose";
import type { ArmError } from "../arm/arm-error.ts";
import type { ArmResponse } from "../arm/exchange.ts";
import { asJson } from "../base/json.ts";
import { credentialsIn } from "../entra/client-authentication.ts";
import { refusal, refuse } from "../entra/refusal.ts";
import { ConnectionDropped, injectBefore } from "../faults/connection.ts";
import { type Subject, subjectOutsideArm } from "../faults/subject.ts";
import { GraphError } from "../graph/graph-error.ts";
import { VaultError } from "../key-vault/vault-error.ts";
import type { HandlerDeps } from "./handler-deps.ts";

/**
 * Serves a request, unless a fault rejects the request or closes its connection. Errors have the format of the called service.
 * Faults of ARM requests are not applied here but later, so that they also affect the requests that deployments send.
 */
export async function underFaults(
  deps: HandlerDeps,
  segments: readonly string[],
  form: URLSearchParams,
  request: FastifyRequest,
  reply: FastifyReply,
  serve: () => Promise<ArmResponse | undefined>,
): Promise<ArmResponse | undefined> {
  try {
    const { subscription, signal } = deps;
    const subject = subjectOutsideArm({ method: request.method, segments, ...senderOf(request, form) });
    const injection = subject ? subscription.faults.draw(subject) : {};
    // The response to a read may be streamed (pages and blobs), and then its connection cannot be dropped after processing. Every
    // read is therefore dropped before processing, which is the same for the client.
    const drop = subject?.verb === "read" && injection.drop ? "before" : injection.drop;
    await injectBefore(subscription, { ...injection, ...(drop ? { drop } : {}) }, signal);
    if (subject && injection.refusal) return refusalOf(deps, subject, injection.refusal);
    const response = await serve();
    if (drop) throw new ConnectionDropped();
    return response;
  } catch (error) {
    if (!(error instanceof ConnectionDropped)) throw error;
    reply.hijack();
    reply.raw.destroy();
    return undefined;
  }
}

interface Sender {
  readonly clientId?: string;
  readonly hasSecret?: boolean;
}

/**
 * Returns the sender that the sign-in form or the token names. Neither is verified, so only the selection of faults may use this
 * sender.
 */
function senderOf({ headers: { authorization = "" } }: FastifyRequest, form: URLSearchParams): Sender {
  if (form.size > 0) {
    const { clientId, secret } = credentialsIn({ form, authorization });
    return { clientId, hasSecret: secret !== undefined };
  }
  const token = /^Bearer (\S+)$/i.exec(authorization)?.[1];
  if (token === undefined) return {};
  try {
    const { appid } = jose.decodeJwt(token);
    return typeof appid === "string" ? { clientId: appid } : {};
  } catch {
    return {};
  }
}

function refusalOf(
  deps: HandlerDeps,
  { service, clientId = "" }: Subject,
  { status, code, message, headers }: ArmError,
): ArmResponse {
  switch (service) {
    case "entra": {
      const [error, number] = entraErrors.get(code) ?? ["temporarily_unavailable", 90033];
      const text =
        number === 7000222 ? `The provided client secret keys for app '${clientId}' are expired.` : message;
      const response = refuse(deps, refusal(error, number, text, status));
      return { ...response, headers: { ...response.headers, ...headers } };
    }
    case "graph": {
      const error = new GraphError(status, code, message);
      const date = deps.clock.now().toISOString().slice(0, 19);
      return { status, headers, body: error.body(randomUUID(), date), service: "graph" };
    }
    case "vault":
      return { status, headers, body: new VaultError(status, code, message).body() };
    default: {
      const body = asJson({ error: { code, message } });
      return { status, headers: { ...headers, "x-ms-error-code": code }, body };
    }
  }
}

/** OAuth errors and `AADSTS` numbers, by fault error code. */
const entraErrors = new Map<string, readonly [string, number]>(
  Object.entries({
    invalid_client: ["invalid_client", 7000222],
    TooManyRequests: ["temporarily_unavailable", 90055],
  } as const),
);
