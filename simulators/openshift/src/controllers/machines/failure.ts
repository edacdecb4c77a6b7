import { aadstsCode, azureErrorCode, azureErrorMessage, statusOf } from "@keelson/azure";
import { isCoded, messageOf } from "@keelson/base";

export const failureReasons = ["InsufficientResources", "InvalidConfiguration", "CreateError"] as const;

/** Permanent error of a Machine: `status.errorReason` and `status.errorMessage`. */
export interface MachineFailure {
  readonly reason: (typeof failureReasons)[number];
  readonly message: string;
}

/** Azure error codes for unavailable VM sizes. */
const exhausted = new Set([
  "AllocationFailed",
  "OperationNotAllowed",
  "QuotaExceeded",
  "SkuNotAvailable",
  "ZonalAllocationFailed",
]);

/** Returns the permanent error of a failed creation. `undefined` if a retry can succeed. */
export function failureOf(error: unknown): MachineFailure | undefined {
  if (isCoded(error, "InvalidMachineConfiguration"))
    return { reason: "InvalidConfiguration", message: messageOf(error) };
  // Authentication errors are temporary because an administrator can correct the credentials.
  if (aadstsCode(error) !== undefined) return undefined;
  const code = azureErrorCode(error);
  const message = `${code ?? "Error"}: ${azureErrorMessage(error)}`;
  if (code && exhausted.has(code)) return { reason: "InsufficientResources", message };
  return statusOf(error) === 400 && code !== undefined
    ? { reason: "InvalidConfiguration", message }
    : undefined;
}
