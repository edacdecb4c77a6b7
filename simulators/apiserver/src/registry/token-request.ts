import { failures, fieldError, type KubeObject, scalarStringAt } from "@keelson/apimachinery";
import { type Clock, stringsAt, valueAt } from "@keelson/base";
import type { ObjectIdentity, ServiceAccountTokens, TokenContent } from "../auth/service-account-tokens.ts";
import { timestamp, timestampAt } from "../resources/registry-context.ts";
import type { RevisionStore } from "../storage/revision-store.ts";

const group = "authentication.k8s.io";
const defaultSeconds = 3_600;
const minSeconds = 600;
const maxSeconds = 2 ** 32;
/**
 * Token lifetime in seconds that kubelets request for pods (kubernetes/kubernetes pkg/serviceaccount). Such tokens are actually
 * valid for a year, because some clients never reload them.
 */
const projectedSeconds = 3_607;
const projectedLifeSeconds = 365 * 86_400;

/** Request for a service account token (authentication.k8s.io/v1 TokenRequest). */
export interface ServiceAccountTokenRequest {
  readonly namespace: string;
  readonly serviceAccount: string;
  /** Audiences of the token. If the list is empty or undefined, the audience is the API server. */
  readonly audiences?: readonly string[] | undefined;
  /** Lifetime in seconds, at least 600. Default: 3,600. */
  readonly expirationSeconds?: number;
  /** Object to which the token is bound. Deleting the object invalidates the token. `uid` is a precondition. */
  readonly boundObject?: {
    readonly kind: "Pod" | "Secret" | "Node";
    readonly name: string;
    readonly uid?: string;
  };
}

export interface ServiceAccountToken {
  readonly token: string;
  /** RFC 3339 time with a precision of seconds. */
  readonly expirationTimestamp: string;
}

export interface TokenRequestDeps {
  readonly store: RevisionStore;
  readonly clock: Clock;
  readonly tokens: ServiceAccountTokens;
}

interface BoundReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

interface Wanted {
  readonly namespace: string;
  readonly name: string;
  readonly audiences: readonly string[];
  readonly seconds: number;
  readonly bound: BoundReference | undefined;
}

/** Issues a token in process. @throws StatusError 400, 404, 409, 422 */
export async function issueToken(
  deps: TokenRequestDeps,
  request: ServiceAccountTokenRequest,
): Promise<ServiceAccountToken> {
  const { namespace, serviceAccount: name, audiences = [], expirationSeconds, boundObject } = request;
  const bound = boundObject && {
    apiVersion: "v1",
    kind: boundObject.kind,
    name: boundObject.name,
    uid: boundObject.uid ?? "",
  };
  return grant(deps, { namespace, name, audiences, seconds: expirationSeconds ?? defaultSeconds, bound });
}

/**
 * Handles `POST serviceaccounts/{name}/token`: returns the TokenRequest with its status.
 * @throws StatusError 400, 404, 409, 422
 */
export async function serveTokenRequest(
  deps: TokenRequestDeps,
  namespace: string,
  name: string,
  body: unknown,
): Promise<KubeObject> {
  const causes = (["name", "namespace"] as const).flatMap((member) => {
    const given = scalarStringAt(body, "metadata", member);
    const own = member === "name" ? name : namespace;
    const what = member === "name" ? "service account name" : "service account namespace";
    return given && given !== own
      ? [fieldError.invalid(`metadata.${member}`, given, `must match the ${what} if specified`)]
      : [];
  });
  if (causes.length > 0) throw failures.invalid({ group, kind: "TokenRequest" }, name, causes);
  const account = accountAt(deps.store, namespace, name);
  const uid = scalarStringAt(body, "metadata", "uid");
  if (uid && uid !== account.uid) {
    throw failures.conflict(
      { group, resource: "TokenRequest" },
      name,
      `the UID in the token request (${uid}) does not match the UID of the service account (${account.uid})`,
    );
  }
  const given = stringsAt(body, "spec", "audiences");
  const audiences = given.length > 0 ? given : [deps.tokens.issuer];
  const seconds = Number(valueAt(body, "spec", "expirationSeconds") ?? defaultSeconds);
  const bound = boundAt(body);
  const status = await grant(deps, { namespace, name, audiences, seconds, bound });
  return {
    kind: "TokenRequest",
    apiVersion: `${group}/v1`,
    metadata: { name, namespace, uid: account.uid, creationTimestamp: timestamp(deps.clock) },
    spec: {
      audiences,
      expirationSeconds: seconds,
      boundObjectRef: valueAt(body, "spec", "boundObjectRef") ?? null,
    },
    status: { ...status },
  };
}

async function grant(deps: TokenRequestDeps, wanted: Wanted): Promise<ServiceAccountToken> {
  const { store, clock, tokens } = deps;
  const { namespace, name, seconds, bound } = wanted;
  const serviceAccount = accountAt(store, namespace, name);
  const audiences = wanted.audiences.length > 0 ? wanted.audiences : [tokens.issuer];
  const why =
    seconds < minSeconds
      ? "may not specify a duration less than 10 minutes"
      : seconds > maxSeconds
        ? "may not specify a duration larger than 2^32 seconds"
        : "";
  if (why) {
    const cause = fieldError.invalid("spec.expirationSeconds", seconds, why);
    throw failures.invalid({ group, kind: "TokenRequest" }, "", [cause]);
  }
  const holders = bound ? holdersOf(store, namespace, name, bound) : {};
  const now = clock.now();
  const issuedAt = Math.floor(now.getTime() / 1_000);
  const isOurs = audiences.every((each) => each === tokens.issuer);
  const isLong = holders.pod !== undefined && seconds === projectedSeconds && isOurs;
  const token = await tokens.issue({
    namespace,
    serviceAccount,
    audiences,
    issuedAt,
    expiresAt: issuedAt + (isLong ? projectedLifeSeconds : seconds),
    ...(isLong ? { warnAfter: issuedAt + seconds } : {}),
    ...holders,
  });
  return { token, expirationTimestamp: timestampAt(new Date(now.getTime() + seconds * 1_000)) };
}

function accountAt(store: RevisionStore, namespace: string, name: string): ObjectIdentity {
  const found = store.get("/serviceaccounts", `${namespace}/${name}`)?.object.metadata.uid;
  if (!found) throw failures.notFound({ group: "", resource: "serviceaccounts" }, name);
  return { name, uid: found };
}

function boundAt(body: unknown): BoundReference | undefined {
  const reference = valueAt(body, "spec", "boundObjectRef");
  if (reference === undefined || reference === null) return undefined;
  const [apiVersion, kind] = [scalarStringAt(reference, "apiVersion"), scalarStringAt(reference, "kind")];
  return { apiVersion, kind, name: scalarStringAt(reference, "name"), uid: scalarStringAt(reference, "uid") };
}

type Holders = Pick<TokenContent, "pod" | "secret" | "node">;

/**
 * Finds the objects to which the token is bound.
 * @throws StatusError if an object does not exist or has a different uid
 */
function holdersOf(store: RevisionStore, namespace: string, account: string, bound: BoundReference): Holders {
  const { apiVersion, kind, name } = bound;
  const places: Readonly<Record<string, readonly [plural: string, key: string]>> = {
    "v1 Pod": ["pods", `${namespace}/${name}`],
    "v1 Secret": ["secrets", `${namespace}/${name}`],
    "v1 Node": ["nodes", name],
  };
  const [plural, key] = places[`${apiVersion} ${kind}`] ?? [];
  if (plural === undefined || key === undefined) {
    const [version = "", groupName = ""] = apiVersion.split("/").toReversed();
    throw failures.badRequest(`cannot bind token to object of type ${groupName}/${version}, Kind=${kind}`);
  }
  const object = store.get(`/${plural}`, key)?.object;
  if (!object) throw failures.notFound({ group: "", resource: plural }, name);
  if (kind === "Pod" && scalarStringAt(object, "spec", "serviceAccountName") !== account) {
    throw failures.badRequest(
      `cannot bind token for serviceaccount ${JSON.stringify(account)} to pod running with different serviceaccount name.`,
    );
  }
  const { uid = "" } = object.metadata;
  if (bound.uid && bound.uid !== uid) {
    throw failures.conflict(
      { group: "", resource: kind },
      name,
      `the UID in the bound object reference (${bound.uid}) does not match the UID in record. ` +
        "The object might have been deleted and then recreated",
    );
  }
  const identity = { name, uid };
  if (kind === "Secret") return { secret: identity };
  if (kind === "Node") return { node: identity };
  const nodeName = scalarStringAt(object, "spec", "nodeName");
  if (!nodeName) return { pod: identity };
  const nodeUid = store.get("/nodes", nodeName)?.object.metadata.uid ?? "";
  return { pod: identity, node: { name: nodeName, uid: nodeUid } };
}
