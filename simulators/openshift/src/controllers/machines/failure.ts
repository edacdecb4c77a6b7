import { aadstsCode, azureErrorCode, azureErrorMessage, statusOf } from "@keelson/azure";
import { isCoded, messageOf } from "@keelson/base";

export const failureReasons = ["InsufficientResources", "InvalidConfiguration", "CreateError"] as const;

/** Why a Machine failed for good: `status.errorReason` and `status.errorMessage`. */
export interface MachineFailure {
  readonly reason: (typeof failureReasons)[number];
  readonly message: string;
}

/** Azure's codes for a size that there is no more of, or none at all. */
const exhausted = new Set([
  "AllocationFailed",
  "OperationNotAllowed",
  "QuotaExceeded",
  "SkuNotAvailable",
  "ZonalAllocationFailed",
]);

/** What a failed creation means for the Machine; `undefined` when trying again can help. */
export function failureOf(error: unknown): MachineFailure | undefined {
  if (isCoded(error, "InvalidMachineConfiguration"))
    return { reason: "InvalidConfiguration", message: messageOf(error) };
  // Credentials that are refused today may be put right tomorrow.
  if (aadstsCode(error) !== undefined) return undefined;
  const code = azureErrorCode(error);
  const message = `${code ?? "Error"}: ${azureErrorMessage(error)}`;
  if (code && exhausted.has(code)) return { reason: "InsufficientResources", message };
  return statusOf(error) === 400 && code !== undefined
    ? { reason: "InvalidConfiguration", message }
    : undefined;
}
