import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { isPlainObject, listAt, tryParseJson } from "@keelson/base";
import { concernsCluster } from "../../faults/fault.ts";
import { matchesImage } from "./image-registry.ts";
import { type ImageRule, parseImageRule } from "./image-rule.ts";

const maxRules = 1_000;

/** Image rules that users configured. They are stored in a file. Without a file, the rules are lost when the process exits. */
export class ImageRules {
  readonly #file: string | undefined;
  #rules: readonly ImageRule[];

  /** Reads the rules. @throws InvalidImageRule if the file is invalid */
  constructor(file?: string) {
    this.#file = file;
    this.#rules = file === undefined ? [] : readRules(file);
  }

  list(): readonly ImageRule[] {
    return this.#rules;
  }

  /** Replaces all rules in memory. Only the first process of the simulated clusters stores the rules. */
  replace(rules: readonly ImageRule[]): void {
    this.#rules = rules;
  }

  /** Adds a rule. Replaces a rule with the same prefix and cluster. */
  set(rule: ImageRule): ImageRule {
    const others = this.#rules.filter((each) => each.prefix !== rule.prefix || each.cluster !== rule.cluster);
    this.#store([...others, rule].slice(-maxRules));
    return rule;
  }

  /** Removes rules by prefix and cluster. Without a prefix, removes all rules. Returns the removed rules. */
  clear({
    prefix,
    cluster,
  }: {
    readonly prefix?: string;
    readonly cluster?: string;
  } = {}): readonly ImageRule[] {
    const removed = this.#rules.filter(
      (each) =>
        (prefix === undefined || each.prefix === prefix) &&
        (cluster === undefined || each.cluster === cluster),
    );
    if (removed.length > 0) this.#store(this.#rules.filter((each) => !removed.includes(each)));
    return removed;
  }

  /**
   * Returns the matching rule with the longest prefix. Undefined if no rule matches. A rule for the cluster has priority over a
   * rule for all clusters.
   */
  find(image: string, infraId: string): ImageRule | undefined {
    const [best] = this.#rules
      .filter((rule) => matchesImage(image, rule.prefix) && concernsCluster(rule, infraId))
      .toSorted(
        (a, b) =>
          b.prefix.length - a.prefix.length ||
          Number(b.cluster !== undefined) - Number(a.cluster !== undefined),
      );
    return best;
  }

  #store(rules: readonly ImageRule[]): void {
    if (this.#file !== undefined) {
      const aside = `${this.#file}.new`;
      writeFileSync(aside, `${JSON.stringify({ rules }, undefined, 2)}\n`, { mode: 0o600 });
      renameSync(aside, this.#file);
    }
    this.#rules = rules;
  }
}

function readRules(file: string): readonly ImageRule[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
  const content = tryParseJson(text);
  if (!isPlainObject(content))
    throw new Error(`${file} is not a JSON object. Remove it to forget the image rules.`);
  return listAt(content, "rules").map(parseImageRule);
}
