import { type Bindings, type ChildLoggerOptions, type DestinationStream, type Logger, pino } from "pino";
import { BufferedLog } from "./buffered-log.ts";
import { logrusLine } from "./logrus-format.ts";
import { redact } from "./redaction.ts";

export type { Logger };

export type LogFormat = "json" | "logrus";

export interface LogOptions {
  readonly level: string;
  /** `logrus`: `level=error msg="..." key=value`, as the originals write it. Default: `json`. */
  readonly format?: LogFormat;
  /** Where lines go; standard error when absent, so that standard output stays for data. */
  readonly destination?: DestinationStream;
}

/** JSON lines, or those of logrus. Messages are constant; facts are fields; each request's child carries `correlationId`. */
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
  // The formatter of lines does not see a child's own fields, and children have none for those. They inherit this.
  const { child } = logger;
  Object.defineProperty(logger, "child", {
    value(this: Logger, fields: Bindings, childOptions?: ChildLoggerOptions): Logger {
      return Reflect.apply(child, this, [redact(fields), childOptions]);
    },
  });
  return logger;
}

/** Characters that JSON leaves as they are and terminals obey: DEL, C1 controls, line separators, changes of direction. */
const controls = /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;
const everyControl = new RegExp(controls, "g");

/** The same JSON with these characters escaped: headers of requests are in log lines, and people read those in terminals. */
function withoutControls(line: string): string {
  if (!controls.test(line)) return line;
  return line.replace(everyControl, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/**
 * A file for log lines, mode 0600, appended to. A full disk loses lines rather than the process: `onError` hears
 * of each failed write, and lines go on when there is room again.
 */
export function openLogFile(path: string, onError: (error: Error) => void): DestinationStream {
  const file = pino.destination({ dest: path, mode: 0o600, sync: true, maxLength: 1_048_576 });
  file.on("error", onError);
  return new BufferedLog(file);
}

/** A logger that writes nothing, for callers that were given none. */
export const silentLogger: Logger = pino({ level: "silent" });
