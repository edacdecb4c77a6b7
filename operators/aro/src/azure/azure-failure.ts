import { azureErrorCode, azureErrorMessage } from "@keelson/azure";
import { CodedError, messageOf } from "@keelson/base";

/**
 * Matches identifiers and times that differ in each response. A condition must not contain them, because each new value would
 * cause a write.
 */
const trace = /\s*(?:Trace ID|Correlation ID|Request ID|Timestamp|TrackingId|RequestId):?.*$/is;

/** Returns the cause of a failed request. Identical failures have identical causes. */
export function azureFailure(error: unknown): string {
  const text = messageOf(error);
  const refusal = /AADSTS\d+.*?(?=\s*(?:Trace ID:|[\r\n"]|$))/.exec(text)?.[0];
  if (refusal) return refusal;
  if (error instanceof CodedError) return text.replace(trace, "");
  const code = azureErrorCode(error);
  const message = azureErrorMessage(error).replace(trace, "");
  return code === undefined || message.startsWith(code) ? message : `${code}: ${message}`;
}
