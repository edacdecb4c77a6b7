import { azureErrorCode, azureErrorMessage, statusOf } from "@keelson/azure";
import { isCoded, messageOf } from "@keelson/base";

/** Why a Machine failed for good: `status.errorReason` and `status.errorMessage`. */
export interface MachineFailure {
  readonly reason: "InsufficientResources" | "InvalidConfiguration" | "CreateError";
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
  const code = azureErrorCode(error);
  const message = `${code ?? "Error"}: ${azureErrorMessage(error)}`;
  if (code && exhausted.has(code)) return { reason: "InsufficientResources", message };
  return statusOf(error) === 400 ? { reason: "InvalidConfiguration", message } : undefined;
}
