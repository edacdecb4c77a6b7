import { type KubeObject, recordAt, sameJson, textAt, textsAt, valueAt } from "@keelson/apimachinery";

/** The names of a definition, as its spec wants them or its status has accepted them. */
export interface DefinitionNames {
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly kind: string;
  readonly listKind: string;
}

export function definitionNames(names: unknown): DefinitionNames {
  return {
    plural: textAt(names, "plural"),
    singular: textAt(names, "singular"),
    shortNames: textsAt(names, "shortNames"),
    kind: textAt(names, "kind"),
    listKind: textAt(names, "listKind"),
  };
}

interface Claim {
  readonly accepted: DefinitionNames;
  /** Its spec wants names that it has not been given. */
  readonly waiting: boolean;
}

/** Which names of a group are taken, by the definitions of one cluster: one that waits for a kind may have its plural. */
export class AcceptedNames {
  readonly #groups = new Map<string, Map<string, Claim>>();

  /** Takes over what a stored definition says. Returns whether others of its group may now have names that they wait for. */
  accept({ metadata: { name }, spec, status }: KubeObject): boolean {
    const group = groupOf(name);
    const claims = this.#groups.get(group) ?? new Map<string, Claim>();
    this.#groups.set(group, claims);
    const accepted = definitionNames(recordAt(status, "acceptedNames"));
    const waiting = !sameJson(accepted, definitionNames(valueAt(spec, "names")));
    const before = claims.get(name);
    claims.set(name, { accepted, waiting });
    return before !== undefined && !sameJson(before.accepted, accepted);
  }

  release(name: string): void {
    const group = groupOf(name);
    const claims = this.#groups.get(group);
    claims?.delete(name);
    if (claims?.size === 0) this.#groups.delete(group);
  }

  /** The other definitions of its group that wait for names. */
  waitingBeside(name: string): readonly string[] {
    return this.#others(name).flatMap(([each, { waiting }]) => (waiting ? [each] : []));
  }

  /** What the other definitions of its group are called. */
  beside(name: string): readonly DefinitionNames[] {
    return this.#others(name).map(([, { accepted }]) => accepted);
  }

  #others(name: string): readonly (readonly [string, Claim])[] {
    return [...(this.#groups.get(groupOf(name)) ?? [])].filter(([each]) => each !== name);
  }
}

/** A definition is called `plural.group`. */
function groupOf(name: string): string {
  return name.slice(name.indexOf(".") + 1);
}
