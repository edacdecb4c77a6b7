/** Component processes of `keelson up`. `operators` is the shared process of all clusters' operators. */
export const victims = ["supervisor", "azure", "clusters", "service", "operators"] as const;
export type Victim = (typeof victims)[number];

/** One case of the crash matrix. A process that gets `SIGSTOP` is suspended and later resumed. */
export interface CrashCase {
  readonly victim: Victim;
  readonly signal: "SIGKILL" | "SIGABRT" | "SIGSTOP";
  /** Load during the crash. `installing`: a second cluster is being installed. */
  readonly situation: "idle" | "installing";
  readonly clusters: number;
}

/** Returns all cases. Cases with `many` clusters are last. */
export function crashCases(many: number): readonly CrashCase[] {
  const few = (["SIGKILL", "SIGABRT"] as const).flatMap((signal) =>
    (["idle", "installing"] as const).map((situation) => ({ signal, situation, clusters: 1 })),
  );
  const suspended = { signal: "SIGSTOP", situation: "idle", clusters: 1 } as const;
  const full = { signal: "SIGKILL", situation: "idle", clusters: many } as const;
  const of = (settings: readonly Omit<CrashCase, "victim">[]) =>
    victims.flatMap((victim) => settings.map((each) => ({ victim, ...each })));
  return [...of([...few, suspended]), ...(many > 1 ? of([full]) : [])];
}

/** Returns the name of a case in the result file. */
export function caseName({ victim, signal, situation, clusters }: CrashCase): string {
  return `${victim} ${signal} ${situation} ${clusters}`;
}

/** Returns the cases without a result. `only` filters by a part of the case name. */
export function remainingCases(
  cases: readonly CrashCase[],
  rows: readonly { readonly case: CrashCase }[],
  only = "",
): readonly CrashCase[] {
  const done = new Set(rows.map((row) => caseName(row.case)));
  return cases.filter((each) => caseName(each).includes(only) && !done.has(caseName(each)));
}
