import { createHash } from "node:crypto";
import {
  type Clock,
  isPlainObject,
  type Logger,
  messageOf,
  stringAt,
  stringsAt,
  valueAt,
} from "@keelson/base";
import { type KubeClient, type KubeResource, resources } from "@keelson/kube";
import { ExpiringResults } from "./expiring-results.ts";

/** Request to an operator's own server. */
export interface AccessRequest {
  /** HTTP method in lowercase, for example `get`. */
  readonly verb: string;
  readonly path: string;
  readonly bearerToken?: string | undefined;
  /** Subject of a client certificate that the cluster's CA has signed. */
  readonly certificate?: Identity;
  /** True if the client sent a certificate that the cluster's CA has not signed. */
  readonly hasUnknownCertificate?: boolean;
}

export interface Identity {
  readonly user: string;
  readonly groups: readonly string[];
}

/** Rejected request, as a Kubernetes Status. */
export interface Refusal {
  readonly code: 401 | 403 | 500;
  readonly status: Readonly<Record<string, unknown>>;
}

export interface DelegatedAccess {
  /**
   * Returns the CA bundle (PEM) that verifies client certificates. If the cluster publishes no bundle, the result is empty, and
   * no client certificate is accepted.
   */
  clientCertificateAuthorities(signal: AbortSignal): Promise<string>;
  /** Returns the reason to reject a request. Undefined if the request is allowed. */
  refusalOf(request: AccessRequest, signal: AbortSignal): Promise<Refusal | undefined>;
}

/** API methods that the reviews need. */
export type ReviewApi = Pick<KubeClient, "find" | "review">;

export interface DelegatedAccessOptions {
  readonly api: ReviewApi;
  /** Disabled checks: `authentication` and `authorization` of a GenericOperatorConfig. */
  readonly disabled?: { readonly authentication: boolean; readonly authorization: boolean };
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Time in ms during which an allowed request needs no further review. Prometheus scrapes every 30 s and should not need a review
 * for each scrape.
 */
const allowedMs = 35_000;
const deniedMs = 10_000;

const authenticationConfig = { namespace: "kube-system", name: "extension-apiserver-authentication" };
const anonymous: Identity = { user: "system:anonymous", groups: ["system:unauthenticated"] };
const prometheus = "system:serviceaccount:openshift-monitoring:prometheus-k8s";

/**
 * Authenticates and authorizes requests with the cluster's API server, like library-go. Authentication uses the client
 * certificate, then a TokenReview. A request with neither a client certificate nor a token is from `system:anonymous`.
 * Authorization uses a SubjectAccessReview. Administrators (`system:masters`) and Prometheus at `/metrics` need no review.
 * Metrics therefore remain available if the API server is unavailable.
 */
export function delegatedAccess(options: DelegatedAccessOptions): DelegatedAccess {
  const { api, clock, disabled, logger } = options;
  const tokens = new ExpiringResults<Identity | undefined>(clock);
  const decisions = new ExpiringResults<boolean>(clock);

  async function identityOf(request: AccessRequest, signal: AbortSignal): Promise<Identity | undefined> {
    const { bearerToken, certificate, hasUnknownCertificate = false } = request;
    if (certificate) return certificate;
    if (bearerToken === undefined) return hasUnknownCertificate ? undefined : anonymous;
    const id = createHash("sha256").update(bearerToken).digest("base64");
    return tokens.get(id, async () => {
      const value = await reviewed(api, tokenReviews, { token: bearerToken }, signal);
      const user = stringAt(value, "user", "username");
      const identity =
        valueAt(value, "authenticated") === true && user !== undefined
          ? { user, groups: stringsAt(value, "user", "groups") }
          : undefined;
      return { value: identity, maxAgeMs: identity ? allowedMs : deniedMs };
    });
  }

  async function isAllowed({ user, groups }: Identity, verb: string, path: string, signal: AbortSignal) {
    if (groups.includes("system:masters")) return true;
    if (user === prometheus && verb === "get" && path === "/metrics") return true;
    return decisions.get(JSON.stringify([user, groups, verb, path]), async () => {
      const spec = { user, groups, nonResourceAttributes: { path, verb } };
      const status = await reviewed(api, subjectAccessReviews, spec, signal);
      const value = valueAt(status, "allowed") === true;
      return { value, maxAgeMs: value ? allowedMs : deniedMs };
    });
  }

  return {
    async clientCertificateAuthorities(signal) {
      const found = await api.find(resources.configMaps, authenticationConfig, signal);
      return stringAt(found, "data", "client-ca-file") ?? "";
    },
    async refusalOf(request, signal) {
      const { verb, path } = request;
      let identity: Identity | undefined = anonymous;
      if (!disabled?.authentication)
        try {
          identity = await identityOf(request, signal);
        } catch (error) {
          logger.warn({ error: messageOf(error) }, "a token could not be reviewed");
          identity = undefined;
        }
      if (!identity) return refusal(401, "Unauthorized", "Unauthorized");
      if (disabled?.authorization) return undefined;
      try {
        if (await isAllowed(identity, verb, path, signal)) return undefined;
      } catch (error) {
        logger.warn({ error: messageOf(error) }, "access could not be reviewed");
        return refusal(500, "InternalError", "Internal Server Error: access could not be reviewed");
      }
      const message = `forbidden: User ${JSON.stringify(identity.user)} cannot ${verb} path ${JSON.stringify(path)}`;
      return refusal(403, "Forbidden", message, { details: {} });
    },
  };
}

function refusal(code: Refusal["code"], reason: string, message: string, more: object = {}): Refusal {
  const status = {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message,
    reason,
    ...more,
    code,
  };
  return { code, status };
}

const tokenReviews: KubeResource = {
  group: "authentication.k8s.io",
  version: "v1",
  kind: "TokenReview",
  plural: "tokenreviews",
  namespaced: false,
};
const subjectAccessReviews: KubeResource = {
  group: "authorization.k8s.io",
  version: "v1",
  kind: "SubjectAccessReview",
  plural: "subjectaccessreviews",
  namespaced: false,
};

/** Sends a review to the API server and returns its status. */
async function reviewed(
  api: ReviewApi,
  resource: KubeResource,
  spec: object,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const status = await api.review(resource, spec, signal);
  if (!isPlainObject(status)) throw new Error(`the ${resource.kind} has no status`);
  return status;
}
