import { objectAt, tryParseJson } from "@keelson/base";

/**
 * `under` with the registries of `over`, which win; `under` itself when it has them all. A text that is not JSON has
 * none.
 */
export function mergePullSecrets(under: string, over: string): string {
  const before = objectAt(tryParseJson(under), "auths");
  const added = objectAt(tryParseJson(over), "auths");
  const same = Object.entries(added).every(
    ([name, auth]) => Object.hasOwn(before, name) && JSON.stringify(before[name]) === JSON.stringify(auth),
  );
  return same && under !== "" ? under : JSON.stringify({ auths: { ...before, ...added } });
}
