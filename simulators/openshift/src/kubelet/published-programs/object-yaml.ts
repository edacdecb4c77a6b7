import type { KubeObject } from "@keelson/kube";
import { stringify } from "yaml";

/** Maximum length in characters, as JSON, of an object that is printed in block style. */
const maxBlockLength = 262_144;
/**
 * Maximum sum of the depths of all values in an object that is printed in block style. A long string counts as several values.
 */
const maxBlockDepths = 10_000;
/** Number of characters of a string that count as one value. */
const valueLength = 256;

/**
 * Options for output that Go's libraries can read. These libraries read YAML 1.1. Line folding and shared references are
 * disabled, because they need additional time.
 */
const options = { version: "1.1", indentSeq: false, lineWidth: 0, aliasDuplicateObjects: false } as const;

/**
 * Prints an object as YAML. An object with many or deeply nested values is printed as JSON, which is also YAML. For such an object,
 * the block style needs seconds, because it indents every value.
 */
export function objectYaml(object: KubeObject): string {
  const json = JSON.stringify(object);
  return isSmall(object, json) ? stringify(object, options) : `${json}\n`;
}

/** Prints an object as an item of a list, like `objectYaml`. */
export function itemYaml(object: KubeObject): string {
  const json = JSON.stringify(object);
  return isSmall(object, json) ? stringify([object], options) : `- ${json}\n`;
}

function isSmall(object: KubeObject, json: string): boolean {
  return json.length <= maxBlockLength && depthsLeft(object, 1, maxBlockDepths) >= 0;
}

/** Subtracts the depths of all values from `left`. Stops at a negative number. */
function depthsLeft(value: unknown, depth: number, left: number): number {
  const weight = typeof value === "string" ? 1 + value.length / valueLength : 1;
  let rest = left - depth * weight;
  const children = typeof value === "object" && value !== null ? Object.values(value) : [];
  for (const child of children) {
    if (rest < 0) return rest;
    rest = depthsLeft(child, depth + 1, rest);
  }
  return rest;
}
