import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { Agent, request } from "node:https";
import type { JsonValue, KeyPair } from "@keelson/base";
import { ArmError } from "../arm/arm-error.ts";
import type { Principal } from "../arm/principal.ts";

export interface ResourceProviderOptions {
  /** URL of the service for `Microsoft.RedHatOpenShift`, for example `https://localhost:8443`. */
  readonly url: string;
  /** CA certificate (PEM) that verifies the server of `url`. */
  readonly caPem: string;
  /** Client certificate of Azure Resource Manager. The provider authenticates it. */
  readonly certificate?: KeyPair;
}

export interface ProviderCall {
  readonly method: string;
  /** Path and query as the client sent them. */
  readonly target: string;
  /** Complete URL to which the client sent the request. */
  readonly clientUrl: string;
  readonly body: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

export interface ProviderResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Time limit in ms for a response. The service always responds within a shorter time. */
const timeoutMs = 90_000;
const maxResponseBytes = 16 * 1024 * 1024;

/** Service that implements a namespace. It is called over HTTPS with a client certificate. */
export class ResourceProvider implements Disposable {
  readonly #url: string;
  readonly #agent: Agent;

  constructor({ url, caPem, certificate }: ResourceProviderOptions) {
    this.#url = url.replace(/\/+$/, "");
    this.#agent = new Agent({
      keepAlive: true,
      ca: caPem,
      ...(certificate ? { cert: certificate.certificatePem, key: certificate.privateKeyPem } : {}),
    });
  }

  /** Sends one request. @throws ArmError 503 if there is no response */
  call({ method, target, clientUrl, body, headers }: ProviderCall): Promise<ProviderResponse> {
    const unavailable = (cause: Error) =>
      new ArmError(
        503,
        "ServerTimeout",
        `The resource provider 'Microsoft.RedHatOpenShift' did not respond (${cause.message}). Please try again later.`,
      );
    return new Promise((resolve, reject) => {
      const sent = request(
        `${this.#url}${target}`,
        {
          method,
          agent: this.#agent,
          timeout: timeoutMs,
          headers: {
            referer: clientUrl,
            ...headers,
            ...(body === undefined
              ? {}
              : { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
          },
        },
        (response) => {
          const chunks: Buffer[] = [];
          let bytes = 0;
          response.on("data", (chunk: Buffer) => {
            bytes += chunk.length;
            chunks.push(chunk);
            if (bytes > maxResponseBytes) sent.destroy(new Error("the response is too large"));
          });
          response.on("end", () =>
            resolve({
              status: response.statusCode ?? 502,
              headers: response.headers,
              text: Buffer.concat(chunks).toString("utf8"),
            }),
          );
          response.on("error", (error) => reject(unavailable(error)));
        },
      );
      sent.on("timeout", () => sent.destroy(new Error("no response within the time limit")));
      sent.on("error", (error) => reject(unavailable(error)));
      sent.end(body);
    });
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}

/** Returns the headers about a caller that Azure Resource Manager sends to resource providers. */
export function callerHeaders(
  principal: Principal,
  tenantId: string,
  given: { readonly correlationId: string | undefined; readonly clientRequestId: string | undefined },
): Record<string, string> {
  return {
    "x-ms-correlation-request-id": given.correlationId ?? randomUUID(),
    "x-ms-arm-request-tracking-id": randomUUID(),
    "x-ms-client-tenant-id": tenantId,
    "x-ms-client-object-id": principal.objectId,
    "x-ms-client-app-id": principal.clientId,
    "x-ms-client-principal-id": principal.objectId,
    "x-ms-client-principal-name": principal.userPrincipalName ?? principal.clientId,
    "x-ms-home-tenant-id": tenantId,
    ...(given.clientRequestId ? { "x-ms-client-request-id": given.clientRequestId } : {}),
  };
}

/**
 * Returns the header with the author and time of a write. If the resource already exists, the header does not contain the
 * creation fields.
 */
export function systemDataHeader(principal: Principal, at: Date, isNew: boolean): Record<string, string> {
  const by = principal.userPrincipalName ?? principal.clientId;
  const kind = principal.userPrincipalName === undefined ? "Application" : "User";
  const when = at.toISOString();
  const systemData: Record<string, JsonValue> = {
    ...(isNew ? { createdBy: by, createdByType: kind, createdAt: when } : {}),
    lastModifiedBy: by,
    lastModifiedByType: kind,
    lastModifiedAt: when,
  };
  return { "x-ms-arm-resource-system-data": JSON.stringify(systemData) };
}
