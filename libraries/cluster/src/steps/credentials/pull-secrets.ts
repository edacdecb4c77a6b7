import { isPlainObject } from "@keelson/base";

/**
 * `under` with the registries of `over`, which win; `under` itself when it has them all. A text that is not JSON has
 * none.
 */
export function mergePullSecrets(under: string, over: string): string {
  const before = authsOf(under);
  const added = authsOf(over);
  const same = Object.entries(added).every(
    ([name, auth]) => Object.hasOwn(before, name) && JSON.stringify(before[name]) === JSON.stringify(auth),
  );
  return same && under !== "" ? under : JSON.stringify({ auths: { ...before, ...added } });
}

function authsOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isPlainObject(value) && isPlainObject(value.auths) ? value.auths : {};
  } catch {
    return {};
  }
}
