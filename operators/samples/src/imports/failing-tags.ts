import { listAt, numberAt, stringAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";

/** The message of each tag whose newest import failed, by the tag's name. */
export type FailingTags = ReadonlyMap<string, string>;

/**
 * The failing tags of an imagestream, of those that the catalogue has: retired ones fail without end, and those of users are
 * theirs.
 */
export function failingTags(live: KubeObject, sample: KubeObject): FailingTags {
  const known = new Set(listAt(sample, "spec", "tags").map((tag) => stringAt(tag, "name")));
  const failing = new Map<string, string>();
  for (const tag of listAt(live, "status", "tags")) {
    const name = stringAt(tag, "tag") ?? "";
    if (!known.has(name)) continue;
    const conditions = listAt(tag, "conditions");
    const newest = Math.max(0, ...conditions.map(generationOf));
    const failed = conditions.filter((each) => stringAt(each, "status") === "False");
    const last = failed.sort((a, b) => generationOf(b) - generationOf(a))[0];
    if (last === undefined || generationOf(last) === 0 || generationOf(last) < newest) continue;
    failing.set(name, stringAt(last, "message") ?? "");
  }
  return failing;
}

function generationOf(condition: unknown): number {
  return numberAt(condition, "generation") ?? 0;
}
