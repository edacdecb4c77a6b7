/** Declaration that several versions can share. */
export interface Identified {
  /** Source of the declaration and its dependencies. Declarations with equal identities are interchangeable. */
  readonly identity: string;
}

/** Records the oldest version that contains each declaration. Versions must be added oldest first. */
export class VersionHomes {
  readonly #homes = new Map<string, string>();

  /** Adds the declarations of a version. */
  add(version: string, parts: readonly Identified[]): void {
    for (const { identity } of parts) if (!this.#homes.has(identity)) this.#homes.set(identity, version);
  }

  of(part: Identified, version: string): string {
    return this.#homes.get(part.identity) ?? version;
  }
}

/** Sorts documents by version, oldest first. */
export function oldestFirst<T extends { readonly info: { readonly version: string } }>(
  documents: readonly T[],
): readonly T[] {
  return documents.toSorted((a, b) => (a.info.version < b.info.version ? -1 : 1));
}
