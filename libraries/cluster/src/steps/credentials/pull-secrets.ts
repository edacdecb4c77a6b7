import { objectAt, tryParseJson } from "@keelson/base";

/**
 * Merges the registries of `over` into `under`. Returns `under` itself if it has them all. Invalid JSON
 * counts as empty.
 */
export function mergePullSecrets(under: string, over: string): string {
  const before = objectAt(tryParseJson(under), "auths");
  const added = objectAt(tryParseJson(over), "auths");
  const same = Object.entries(added).every(
    ([name, auth]) => Object.hasOwn(before, name) && JSON.stringify(before[name]) === JSON.stringify(auth),
  );
  return same && under !== "" ? under : JSON.stringify({ auths: { ...before, ...added } });
}
