import { createContext, Script } from "node:vm";
import { contentErrors } from "../content/content-errors.ts";

const timeoutMs = 100;
const matches = new Script("new RegExp(pattern).test(name)");

/**
 * Whether a name matches a manifest's regular expression anywhere. Expressions that take too long are stopped.
 * @throws LibraryUnreadable for one that is none, or takes too long
 */
export function matchesName(pattern: string | undefined, name: string): boolean {
  if (pattern === undefined) return true;
  // Nearly all are plain words.
  if (/^[A-Za-z0-9_-]*$/.test(pattern)) return name.includes(pattern);
  try {
    return Boolean(matches.runInContext(createContext({ pattern, name }), { timeout: timeoutMs }));
  } catch (cause) {
    throw contentErrors.LibraryUnreadable(
      `the regular expression ${JSON.stringify(pattern)} cannot be used`,
      {
        cause,
      },
    );
  }
}
