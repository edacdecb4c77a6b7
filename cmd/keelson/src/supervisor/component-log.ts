import { join } from "node:path";
import { createLogger, type Logger, openLogFile } from "@keelson/base";

export interface ComponentLogOptions {
  readonly directory: string;
  readonly level: string;
  /** Receives the reason of lost lines. */
  readonly report: (text: string) => void;
}

/** Path of a log file in a state directory. */
export function logPath(directory: string, name: string): string {
  return join(directory, `${name}.log`);
}

/** Opens the log file of a component, of the operators or, as `keelson`, of the supervisor. */
export function openComponentLog(name: string, { directory, level, report }: ComponentLogOptions): Logger {
  const path = logPath(directory, name);
  const destination = openLogFile(path, (error) => report(`log lines are lost: ${error.message} (${path})`));
  return createLogger({ level, destination });
}
