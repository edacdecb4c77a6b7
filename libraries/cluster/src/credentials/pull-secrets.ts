import { objectAt, tryParseJson } from "@keelson/base";

/**
 * Merges the registries of the pull secret `over` into `under`. If both contain the same registry, the credentials of `over` are
 * used. Returns `under` itself if nothing changes. Invalid JSON is treated as empty.
 */
export function mergePullSecrets(under: string, over: string): string {
  const before = objectAt(tryParseJson(under), "auths");
  const added = objectAt(tryParseJson(over), "auths");
  const same = Object.entries(added).every(
    ([name, auth]) => Object.hasOwn(before, name) && JSON.stringify(before[name]) === JSON.stringify(auth),
  );
  return same && under !== "" ? under : JSON.stringify({ auths: { ...before, ...added } });
}
