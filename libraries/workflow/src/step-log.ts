import { boundedText, type Logger, messageOf, redact, redactText } from "@keelson/base";
import type { Document } from "@keelson/database";

/** Log line of a step. Secrets are redacted, and control characters are replaced. */
export interface StepLogEntry {
  readonly at: string;
  readonly level: "info" | "warning" | "error";
  readonly message: string;
  /** Other fields of the line as JSON. */
  readonly details?: string;
  /** Number of the failed attempt, if the line reports a retry. */
  readonly attempt?: number;
  /** Error of the failed attempt. */
  readonly error?: string;
}

/** Stored log lines of one step in one operation. */
export interface StepLogRecord extends Document {
  /** `{operationId}.{step}` */
  readonly id: string;
  readonly operationId: string;
  readonly step: string;
  /** Newest lines, in order. */
  readonly entries: readonly StepLogEntry[];
  /** Number of older lines that were removed. */
  readonly omitted: number;
}

/** Message of the line before a retry. */
export const retryMessage = "step will be tried again";

const maxMessage = 200;
const maxText = 1_000;
const levels: ReadonlyMap<PropertyKey, StepLogEntry["level"]> = new Map([
  ["info", "info"],
  ["warn", "warning"],
  ["error", "error"],
  ["fatal", "error"],
] as const);

/** Returns a logger that also passes each line of level info or higher to `record`. Child loggers do the same. */
export function recordingLogger(
  logger: Logger,
  now: () => Date,
  record: (entry: StepLogEntry) => void,
): Logger {
  // The target of the proxy is an empty object instead of the logger, because properties of pino's loggers are not configurable.
  const target: Partial<Logger> = {};
  return new Proxy(target, {
    get(_, name) {
      const value: unknown = Reflect.get(logger, name, logger);
      if (typeof value !== "function") return value;
      const level = levels.get(name);
      return (...args: readonly unknown[]) => {
        if (level) record(entryOf(now().toISOString(), level, args));
        const result: unknown = Reflect.apply(value, logger, args);
        return name === "child" ? recordingLogger(result as Logger, now, record) : result;
      };
    },
    // The cast is safe, because the proxy returns every property of the logger.
  }) as Logger;
}

function entryOf(at: string, level: StepLogEntry["level"], args: readonly unknown[]): StepLogEntry {
  const [first, second] = args;
  if (typeof first === "string") return { at, level, message: bounded(first, maxMessage) };
  const message = bounded(typeof second === "string" ? second : "", maxMessage);
  const fields = redact(first instanceof Error ? { error: messageOf(first) } : { ...Object(first) });
  const { attempt, error, ...others } = fields;
  const isRetry = typeof attempt === "number" && error !== undefined;
  const details = detailsOf(isRetry ? others : fields);
  return {
    at,
    level,
    message,
    ...(details === undefined ? {} : { details }),
    ...(isRetry ? { attempt, error: bounded(String(error), maxText) } : {}),
  };
}

function detailsOf(fields: Readonly<Record<string, unknown>>): string | undefined {
  if (Object.keys(fields).length === 0) return undefined;
  try {
    return bounded(
      JSON.stringify(fields, (_, value: unknown) => (value instanceof Error ? messageOf(value) : value)),
      maxText,
    );
  } catch {
    // The fields cannot be serialized as JSON, for example because of a cyclic reference. The line is then recorded without them.
    return undefined;
  }
}

/** Truncates before the redaction, because the redaction's cost depends on the length. A secret at the end may be incomplete. */
function bounded(text: string, maxLength: number): string {
  return boundedText(redactText(text.slice(0, 4 * maxLength)), maxLength);
}
