import { createLogger, isPlainObject, type Logger } from "@keelson/base";

/** A logger whose lines a test can read. */
export function captureLog(level = "info"): { logger: Logger; text: () => string; lines: () => LogLine[] } {
  let text = "";
  const logger = createLogger({
    level,
    destination: {
      write(line: string) {
        text += line;
      },
    },
  });
  const lines = () =>
    text
      .split("\n")
      .filter((line) => line !== "")
      .map((line): LogLine => {
        const parsed: unknown = JSON.parse(line);
        return isPlainObject(parsed) ? parsed : {};
      });
  return { logger, text: () => text, lines };
}

export type LogLine = Record<string, unknown>;
