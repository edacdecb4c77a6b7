import type { JsonObject } from "@keelson/base";

/** Error in the format of ARM: `{"error":{"code","target"?,"message","details"?,"additionalInfo"?}}`. */
export class ArmError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: readonly JsonObject[];
  readonly headers: Readonly<Record<string, string>>;
  readonly target: string | undefined;
  readonly additionalInfo: readonly JsonObject[];

  constructor(
    status: number,
    code: string,
    message: string,
    more: {
      readonly details?: readonly JsonObject[];
      readonly headers?: Record<string, string>;
      readonly target?: string | undefined;
      readonly additionalInfo?: readonly JsonObject[];
    } = {},
  ) {
    super(message);
    this.name = "ArmError";
    this.status = status;
    this.code = code;
    this.details = more.details ?? [];
    this.headers = more.headers ?? {};
    this.target = more.target;
    this.additionalInfo = more.additionalInfo ?? [];
  }

  body(): JsonObject {
    const { code, target, message, details, additionalInfo } = this;
    return {
      error: {
        code,
        ...(target === undefined ? {} : { target }),
        message,
        ...(details.length > 0 ? { details } : {}),
        ...(additionalInfo.length > 0 ? { additionalInfo } : {}),
      },
    };
  }
}

export function badRequest(code: string, message: string): ArmError {
  return new ArmError(400, code, message);
}

/**
 * Returns the error for a write to a resource while an operation on it, or on a dependent resource, is in progress. Clients are
 * expected to retry.
 */
export function operationInProgress(id: string): ArmError {
  return new ArmError(
    409,
    "AnotherOperationInProgress",
    `Another operation on this or a dependent resource is in progress: ${id}. Retry later.`,
    { headers: { "retry-after": "1" } },
  );
}
