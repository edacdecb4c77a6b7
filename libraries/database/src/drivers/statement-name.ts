import type { Statement } from "./driver.ts";

const maxNames = 100;
const otherName = "other";

/** Kinds of statements by pattern. The first match applies. */
const kinds: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ["commit", /\brequire_effect\(/],
  ["acquire", /\bacquire_(\w+)\(|\blease_owner = \$\d+::text,\s*lease_generation = nextval/],
  ["renew", /^update \w+ set lease_expires =/],
  ["release", /^update \w+ set lease_owner = null/],
  ["create", /\binsert into\b/],
  ["remove", /\bdelete from\b/],
  ["update", /^update\b/],
  ["read", /\bselect\b/],
];
const tableIn = [
  /\bacquire_(\w+)\(/,
  /\b(?:insert into|update|delete from) (\w+)/,
  /\b(?:from|join) (\w+) t\b/,
  /\bfrom (\w+)/,
];
/** Names after `from` that are not tables: common table expressions and functions. */
const noTables = new Set([
  "held",
  "lapsed",
  "taken",
  "picked",
  "changed",
  "unnest",
  "wanted",
  "found",
  "json_to_recordset",
]);

/**
 * Assigns names to statements for metrics, for example `commit openshift_clusters`. After 100 names, further statements are named
 * `other`.
 */
export class StatementNames {
  readonly #names = new Set<string>();
  /** Metric names by the names of prepared statements. There are only a few prepared statements. */
  readonly #known = new Map<string, string>();

  nameOf({ name, text }: Statement): string {
    if (name === undefined) return this.#limited(derive(text));
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const derived = this.#limited(derive(text));
    this.#known.set(name, derived);
    return derived;
  }

  #limited(name: string): string {
    if (this.#names.has(name)) return name;
    if (this.#names.size >= maxNames - 1) return otherName;
    this.#names.add(name);
    return name;
  }
}

function derive(text: string): string {
  const kind = kinds.find(([, pattern]) => pattern.test(text))?.[0] ?? "other";
  const table = tableIn
    .map((pattern) => pattern.exec(text)?.[1])
    .find((found) => found !== undefined && !noTables.has(found));
  return table === undefined ? kind : `${kind} ${table}`;
}
