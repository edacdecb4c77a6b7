import { listAt, numberAt, stringAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";

/** Error message by tag, for tags with a failed newest import. */
export type FailingTags = ReadonlyMap<string, string>;

/**
 * Failing tags of an imagestream. Only tags of the catalogue count: retired tags fail permanently, and users
 * are responsible for their tags.
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
