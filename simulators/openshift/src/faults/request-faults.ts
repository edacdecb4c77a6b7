import type { ApiFaults, FaultableRequest, RequestFault } from "@keelson/apiserver";
import type { Fault } from "./fault.ts";
import type { ClusterFaults } from "./fault-registry.ts";

const writes: ReadonlySet<string> = new Set(["create", "update", "patch", "delete", "deletecollection"]);

/** Kubernetes Status reasons by HTTP status code (meta.k8s.io/v1 StatusReason). */
const reasons: Readonly<Record<number, string>> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  405: "MethodNotAllowed",
  406: "NotAcceptable",
  409: "Conflict",
  410: "Expired",
  413: "RequestEntityTooLarge",
  415: "UnsupportedMediaType",
  422: "Invalid",
  429: "TooManyRequests",
  500: "InternalError",
  503: "ServiceUnavailable",
  504: "Timeout",
};

/** Converts a cluster's faults to API server faults. `undefined` if no faults are active. */
export function apiFaultsOf(
  faults: ClusterFaults,
  random: () => number = Math.random,
): ApiFaults | undefined {
  const skew = faults.of("clock-skew").reduce((sum, fault) => sum + numberOf(fault, "skewMs", 0), 0);
  const full = faults.of("disk-full").some(({ parameters }) => parameters.node === undefined);
  const slow = faults.of("api-slow");
  const failing = faults.of("api-error");
  const expired = faults.of("watch-expired");
  const dropped = faults.of("watch-drop");
  const unhealthy = faults.of("api-unhealthy");
  if (skew === 0 && !full && [slow, failing, expired, dropped, unhealthy].every(({ length }) => length === 0))
    return undefined;
  return {
    clockSkewMs: skew,
    failedChecks: new Set(unhealthy.map(({ parameters }) => String(parameters.check ?? "etcd"))),
    forRequest(request) {
      const matches = (fault: Fault) =>
        selects(fault, request) && random() * 100 < numberOf(fault, "percent", 100);
      const watch = request.verb === "watch";
      const delayMs = slow.filter(matches).reduce((sum, fault) => sum + numberOf(fault, "delayMs", 0), 0);
      const failure = failing.find(matches);
      const resumes = watch && request.resourceVersion !== "" && request.resourceVersion !== "0";
      const error =
        (full && writes.has(request.verb) ? outOfSpace : undefined) ??
        (failure && errorOf(failure)) ??
        (resumes && expired.some(matches) ? tooOld(request) : undefined);
      const drop = watch ? dropped.find(matches) : undefined;
      const fault: RequestFault = {
        ...(delayMs > 0 ? { delayMs } : {}),
        ...(error ? { error } : {}),
        ...(drop ? { cutAfterMs: numberOf(drop, "afterMs", 1_000) } : {}),
      };
      return Object.keys(fault).length === 0 ? undefined : fault;
    },
  };
}

function selects({ parameters }: Fault, request: FaultableRequest): boolean {
  const { verb, group, resource, namespace, name, user } = parameters;
  return (
    (verb === undefined || verb === request.verb) &&
    (group === undefined || (group === "core" ? "" : group) === request.group) &&
    (resource === undefined ||
      resource === request.resource ||
      resource === `${request.resource}/${request.subresource}`) &&
    (namespace === undefined || namespace === request.namespace) &&
    (name === undefined || name === request.name) &&
    (user === undefined || user === request.user)
  );
}

function errorOf(fault: Fault): NonNullable<RequestFault["error"]> {
  const code = numberOf(fault, "code", 500);
  const { reason, message, retryAfterSeconds } = fault.parameters;
  return {
    code,
    reason: String(reason ?? reasons[code] ?? "InternalError"),
    message: String(message ?? `the fault ${fault.id} was asked for`),
    ...(typeof retryAfterSeconds === "number" ? { retryAfterSeconds } : {}),
  };
}

/** Error of a full etcd database. The API server forwards etcd's error message unchanged. */
const outOfSpace = {
  code: 500,
  reason: "InternalError",
  message: "etcdserver: mvcc: database space exceeded",
};

function tooOld({ resourceVersion }: FaultableRequest): NonNullable<RequestFault["error"]> {
  return {
    code: 410,
    reason: "Expired",
    message: `too old resource version: ${resourceVersion} (${Number(resourceVersion) + 1})`,
  };
}

function numberOf({ parameters }: Fault, name: string, otherwise: number): number {
  const value = parameters[name];
  return typeof value === "number" ? value : otherwise;
}
