import { type Bindings, type ChildLoggerOptions, type DestinationStream, type Logger, pino } from "pino";
import { BufferedLog } from "./buffered-log.ts";
import { logrusLine } from "./logrus-format.ts";
import { redact } from "./redaction.ts";

export type { Logger };

export type LogFormat = "json" | "logrus";

export interface LogOptions {
  readonly level: string;
  /** `logrus`: `level=error msg="..." key=value`, the format of the upstream programs. Default: `json`. */
  readonly format?: LogFormat;
  /** Destination of the lines. Default: standard error, because standard output is reserved for data. */
  readonly destination?: DestinationStream;
}

/**
 * Creates a logger that writes JSON or logrus lines. Callers pass variable data as fields, so that messages are constant strings.
 * Each request has a child logger with `correlationId`.
 */
export function createLogger(options: LogOptions): Logger {
  const logger = pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: redact },
      hooks: {
        streamWrite:
          options.format === "logrus" ? (line) => withoutControls(logrusLine(line)) : withoutControls,
      },
    },
    options.destination ?? new BufferedLog(pino.destination({ dest: 2, sync: true })),
  );
  // Redacts the fields of child loggers when they are created, because the line formatter does not receive these fields. All
  // child loggers inherit this override.
  const { child } = logger;
  Object.defineProperty(logger, "child", {
    value(this: Logger, fields: Bindings, childOptions?: ChildLoggerOptions): Logger {
      return Reflect.apply(child, this, [redact(fields), childOptions]);
    },
  });
  return logger;
}

/**
 * Matches characters that JSON does not escape but terminals interpret: DEL, C1 controls, line separators, bidirectional
 * controls.
 */
const controls = /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;
const everyControl = new RegExp(controls, "g");

/** Escapes control characters in a JSON line. Log lines contain request headers, and users read them in terminals. */
function withoutControls(line: string): string {
  if (!controls.test(line)) return line;
  return line.replace(everyControl, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/**
 * Opens a log file for appending with mode 0600. If the disk is full, lines are lost but the process continues. `onError` is
 * called for each failed write. Logging resumes when space is available.
 */
export function openLogFile(path: string, onError: (error: Error) => void): DestinationStream {
  const file = pino.destination({ dest: path, mode: 0o600, sync: true, maxLength: 1_048_576 });
  file.on("error", onError);
  return new BufferedLog(file);
}

/** Logger that writes nothing. It is the default logger. */
export const silentLogger: Logger = pino({ level: "silent" });
