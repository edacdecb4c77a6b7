import { listAt, numberAt, stringAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";

/** Error messages by tag. A tag is failing if its newest import failed. */
export type FailingTags = ReadonlyMap<string, string>;

/**
 * Returns the failing tags of an imagestream. Only tags of the catalogue are checked. Tags that the catalogue no longer contains
 * may fail permanently, and users are responsible for tags that they added.
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
