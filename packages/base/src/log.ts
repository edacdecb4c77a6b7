import { type DestinationStream, type Logger, pino } from "pino";

export type { Logger };

/** Member names whose values never reach a log line, wherever a careless caller puts them. */
const secretNames = [
  "authorization",
  "clientSecret",
  "client_secret",
  "kubeadminPassword",
  "kubeconfig",
  "password",
  "pullSecret",
  "token",
  "access_token",
];

export interface LogOptions {
  readonly level: string;
  /** Where lines go; standard error when absent, so that standard output stays for data. */
  readonly destination?: DestinationStream;
}

/** JSON lines. Messages are constant; facts are fields; each request's child carries `correlationId`. */
export function createLogger(options: LogOptions): Logger {
  const paths = secretNames.flatMap((name) => [name, `*.${name}`, `*.*.${name}`, `headers["${name}"]`]);
  return pino(
    {
      level: options.level,
      base: null,
      redact: { paths, censor: "[REDACTED]" },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    options.destination ?? pino.destination({ dest: 2, sync: true }),
  );
}

/**
 * A file for log lines, mode 0600, appended to. A full disk loses lines rather than the process: `onError` hears
 * of each failed write, and lines go on when there is room again.
 */
export function openLogFile(path: string, onError: (error: Error) => void): DestinationStream {
  const file = pino.destination({ dest: path, mode: 0o600, sync: true, maxLength: 1_048_576 });
  file.on("error", onError);
  return file;
}

/** A logger that writes nothing, for callers that were given none. */
export const silentLogger: Logger = pino({ level: "silent" });
