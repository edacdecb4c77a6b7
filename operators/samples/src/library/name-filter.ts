import { createContext, Script } from "node:vm";
import { threadCpuMs } from "@keelson/base";
import { contentErrors } from "../content/content-errors.ts";

/** Maximum CPU time of one match in ms. */
const cpuLimitMs = 100;
const matches = new Script("new RegExp(pattern).test(name)");

/**
 * True if a name contains a match of the regular expression. A timeout stops a match that uses too much CPU time. On a busy
 * machine, the timeout may stop a match that has used less. Such a match is then repeated with a longer timeout.
 * @throws LibraryUnreadable for an invalid or too slow expression
 */
export function matchesName(pattern: string | undefined, name: string, cpuMs = threadCpuMs): boolean {
  if (pattern === undefined) return true;
  // Nearly all expressions are plain words and need no regular expression engine.
  if (/^[A-Za-z0-9_-]*$/.test(pattern)) return name.includes(pattern);
  try {
    for (let timeout = cpuLimitMs; ; timeout *= 2) {
      const beganMs = cpuMs();
      try {
        return Boolean(matches.runInContext(createContext({ pattern, name }), { timeout }));
      } catch (error) {
        if (!isTimeout(error) || cpuMs() - beganMs >= cpuLimitMs) throw error;
      }
    }
  } catch (cause) {
    throw contentErrors.LibraryUnreadable(
      `the regular expression ${JSON.stringify(pattern)} cannot be used`,
      {
        cause,
      },
    );
  }
}

function isTimeout(error: unknown): boolean {
  // The script's context has a separate Error class, so `instanceof Error` would be false.
  return (
    typeof error === "object" &&
    error !== null &&
    "code" in error &&
    error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT"
  );
}
