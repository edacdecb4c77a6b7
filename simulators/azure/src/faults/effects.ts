import { ArmError, operationInProgress } from "../arm/arm-error.ts";
import type { OperationOutcome } from "../arm/operations.ts";
import type { Fault } from "./definitions/fault.ts";
import type { Subject } from "./subject.ts";

/** Combined effects of all faults on one request. */
export interface Injection {
  /** Delay in ms before the request is processed. */
  readonly delayMs?: number;
  /** Error that is returned instead of processing the request. */
  readonly refusal?: ArmError;
  readonly drop?: "before" | "after";
  /** Effect on the operation that the request starts. */
  readonly outcome?: OperationOutcome;
}

/** Fault kinds that affect the asynchronous operation that a request starts, but not the response to the request. */
const ofOperations = new Set<Fault["kind"]>([
  "operation-failed",
  "operation-slow",
  "allocation-failed",
  "zonal-allocation-failed",
  "os-provisioning-timed-out",
]);

/** Fault kinds for virtual machines. Unless `type` is set, they apply only to writes of virtual machines. */
const ofMachines = new Set<Fault["kind"]>([
  "sku-not-available",
  "allocation-failed",
  "zonal-allocation-failed",
  "os-provisioning-timed-out",
]);

/**
 * Fault kinds that close the connection or delay the response. They do not apply to requests that Azure services send to each
 * other.
 */
const ofConnections = new Set<Fault["kind"]>(["dropped", "slow"]);

/** True if a fault of this kind can apply to the request. `isInner` is true for requests that a deployment sends. */
export function appliesTo({ kind, type, verb }: Fault, subject: Subject, isInner: boolean): boolean {
  if (isInner && ofConnections.has(kind)) return false;
  if (ofOperations.has(kind) && !subject.mayTakeTime) return false;
  if (kind === "secret-expired") return subject.type === "token/secret";
  const isWrite = subject.verb === "write" || (verb !== undefined && verb === subject.verb);
  if (ofMachines.has(kind)) {
    const isStart = /\/(start|restart|redeploy)$/i.test(subject.type);
    const isMachine = /^Microsoft\.Compute\/virtualMachines(\/(start|restart|redeploy))?$/i.test(
      subject.type,
    );
    return (type !== undefined || isMachine) && (isWrite || isStart);
  }
  return kind !== "quota-exceeded" || isWrite;
}

export function effectOf(fault: Fault, { type, id }: Subject): Injection {
  const { kind, code, delayMs = 0 } = fault;
  const message = (usual: string) => fault.message ?? usual;
  const name = id.slice(id.lastIndexOf("/") + 1);
  const failing = (failureCode: string, usual: string): Injection => ({
    outcome: { delayMs, failure: { status: 409, code: failureCode, message: message(usual) } },
  });
  switch (kind) {
    case "throttled":
      return refusing(
        { ...fault, retryAfterSeconds: fault.retryAfterSeconds ?? 1 },
        429,
        code ?? "TooManyRequests",
        message("The request is being throttled as the limit has been reached for this operation."),
      );
    case "conflict":
      return refusing(fault, 409, "AnotherOperationInProgress", message(operationInProgress(id).message));
    case "server-error": {
      const status = fault.status ?? 500;
      const usual = serverErrors[status] ?? serverErrors[500];
      return refusing(fault, status, code ?? usual[0], message(usual[1]));
    }
    case "refused":
      return refusing(fault, fault.status ?? 400, code ?? "", message(`The request was refused: ${code}.`));
    case "quota-exceeded":
      return refusing(
        fault,
        409,
        "QuotaExceeded",
        message(`Operation could not be completed as it results in exceeding approved quota of '${type}'.`),
      );
    case "sku-not-available":
      return refusing(
        fault,
        409,
        "SkuNotAvailable",
        message(
          `The requested VM size for resource '${id}' is currently not available in the location. Please try another size or deploy to a different location or different zone. See https://aka.ms/azureskunotavailable for details.`,
        ),
      );
    case "allocation-failed":
      return failing(
        "AllocationFailed",
        "Allocation failed. We do not have sufficient capacity for the requested VM size in this region. Read more about improving likelihood of allocation success at http://aka.ms/allocation-guidance",
      );
    case "zonal-allocation-failed":
      return failing(
        "ZonalAllocationFailed",
        "Allocation failed. We do not have sufficient capacity for the requested VM size in this zone. Read more about improving likelihood of allocation success at http://aka.ms/allocation-guidance",
      );
    case "os-provisioning-timed-out":
      return failing(
        "OSProvisioningTimedOut",
        `OS Provisioning for VM '${name}' did not finish in the allotted time. The VM may still finish provisioning successfully. Please check provisioning state later.`,
      );
    case "operation-failed":
      return failing(
        code ?? "InternalOperationError",
        "An internal execution error occurred. Please retry later.",
      );
    case "operation-slow": {
      const { retryAfterSeconds } = fault;
      return { outcome: { delayMs, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) } };
    }
    case "slow":
      return { delayMs };
    case "dropped":
      return { drop: fault.when ?? "after" };
    case "secret-expired":
      return refusing(fault, 401, "invalid_client", "The provided client secret keys are expired.");
  }
}

const serverErrors = {
  500: ["InternalServerError", "Encountered internal server error."],
  502: ["BadGateway", "The gateway did not receive a response from the service."],
  503: ["ServiceUnavailable", "The service is unavailable. Please try again later."],
  504: [
    "GatewayTimeout",
    "The gateway did not receive a response from the service within the specified time period.",
  ],
} as Readonly<Record<number, readonly [string, string]>> & { readonly 500: readonly [string, string] };

function refusing({ retryAfterSeconds }: Fault, status: number, code: string, message: string): Injection {
  const headers = retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) };
  return { refusal: new ArmError(status, code, message, { headers }) };
}
