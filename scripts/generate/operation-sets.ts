/** Operation of a generated class, with the models as type parameters. Versions share operations with equal sources. */
export interface SharedOperation {
  readonly source: string;
  /** Names of the models. */
  readonly models: readonly string[];
}

/** Operations of a group that one or more API versions have. A client declares one class for each set. */
export interface OperationSet {
  readonly group: string;
  /** Oldest version with exactly these operations. */
  readonly since: string;
  readonly operations: readonly SharedOperation[];
  /** Largest other set that contains only operations of this set. The class of this set inherits its operations. */
  readonly base: OperationSet | undefined;
}

/** Groups of operations of a version. */
export type VersionGroups = ReadonlyMap<string, readonly SharedOperation[]>;

/** Returns the sets of all groups. Versions are oldest first. Subsets precede the sets that extend them. */
export function operationSets(versions: ReadonlyMap<string, VersionGroups>): readonly OperationSet[] {
  const distinct: Omit<OperationSet, "base">[] = [];
  for (const [since, groups] of versions) {
    for (const [group, operations] of groups) {
      if (!operationSetOf(distinct, group, operations)) distinct.push({ group, since, operations });
    }
  }
  const sets: OperationSet[] = [];
  for (const each of distinct.sort((a, b) => a.operations.length - b.operations.length)) {
    const base = sets.findLast(
      ({ group, operations }) => group === each.group && contains(each.operations, operations),
    );
    sets.push({ ...each, base });
  }
  return sets;
}

/** Finds the set with exactly these operations. */
export function operationSetOf<Set extends Omit<OperationSet, "base">>(
  sets: readonly Set[],
  group: string,
  operations: readonly SharedOperation[],
): Set | undefined {
  return sets.find(
    (set) =>
      set.group === group &&
      contains(set.operations, operations) &&
      set.operations.length === operations.length,
  );
}

/** Returns the operations that the set does not inherit. */
export function ownOperations({ operations, base }: OperationSet): readonly SharedOperation[] {
  return operations.filter((operation) => !base || !contains(base.operations, [operation]));
}

/** Returns the models of the operations without duplicates. They are the type parameters of the class. */
export function modelsOfOperations(operations: readonly SharedOperation[]): readonly string[] {
  return [...new Set(operations.flatMap(({ models }) => models))];
}

function contains(all: readonly SharedOperation[], some: readonly SharedOperation[]): boolean {
  return some.every(({ source }) => all.some((each) => each.source === source));
}
