/** A part of a module that other versions may have too. */
export interface Identified {
  /** Its text and those of all that it needs: where that is the same, so is the part. */
  readonly identity: string;
}

/** Where each part is declared: in the oldest version that has it. Versions come oldest first. */
export class VersionHomes {
  readonly #homes = new Map<string, string>();

  /** Notes the parts of a version. */
  add(version: string, parts: readonly Identified[]): void {
    for (const { identity } of parts) if (!this.#homes.has(identity)) this.#homes.set(identity, version);
  }

  of(part: Identified, version: string): string {
    return this.#homes.get(part.identity) ?? version;
  }
}

/** Of those that have a version, the oldest first. */
export function oldestFirst<T extends { readonly info: { readonly version: string } }>(
  documents: readonly T[],
): readonly T[] {
  return documents.toSorted((a, b) => (a.info.version < b.info.version ? -1 : 1));
}
