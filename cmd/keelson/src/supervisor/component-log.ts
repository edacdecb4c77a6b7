import { join } from "node:path";
import { createLogger, type Logger, openLogFile } from "@keelson/base";

export interface ComponentLogOptions {
  readonly directory: string;
  readonly level: string;
  /** Called with an error message if log lines are lost. */
  readonly report: (text: string) => void;
}

/** Returns the path of a log file in a state directory. */
export function logPath(directory: string, name: string): string {
  return join(directory, `${name}.log`);
}

/** Opens a log file in the state directory. `name` is a component, the operators, or `keelson` for the supervisor. */
export function openComponentLog(name: string, { directory, level, report }: ComponentLogOptions): Logger {
  const path = logPath(directory, name);
  const destination = openLogFile(path, (error) => report(`log lines are lost: ${error.message} (${path})`));
  return createLogger({ level, destination });
}
