/** Maximum length of the JSON of a shared value. Conditions and container statuses are shorter. */
const maxLength = 512;
/** Maximum number of shared values. They need at most about 20 MB. */
const maxValues = 20_000;

/**
 * Stores equal parts of retained objects only once. Most conditions and container statuses are equal in many objects of many
 * clusters. Shared values are frozen.
 */
export class SharedValues {
  readonly #values = new Map<string, object>();

  /** Returns an equal value. Its parts are shared with earlier values. */
  share<T>(value: T): T;
  share(value: unknown): unknown {
    if (typeof value !== "object" || value === null) return value;
    const json = JSON.stringify(value);
    if (json.length <= maxLength) return this.#shared(json, value);
    if (Array.isArray(value)) return value.map((each) => this.share(each));
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, this.share(each)]));
  }

  #shared(json: string, value: object): object {
    const known = this.#values.get(json);
    if (known) return known;
    // Values of deleted objects remain in the table. A full table is discarded, so that new values can be shared.
    if (this.#values.size >= maxValues) this.#values.clear();
    this.#values.set(json, freeze(value));
    return value;
  }
}

function freeze<T extends object>(value: T): T {
  for (const each of Object.values(value)) if (typeof each === "object" && each !== null) freeze(each);
  return Object.freeze(value);
}
