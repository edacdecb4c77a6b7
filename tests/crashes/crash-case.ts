/** Processes of `keelson up`. `operators` is the process that the operators of all clusters share. */
export const victims = ["supervisor", "azure", "clusters", "service", "operators"] as const;
export type Victim = (typeof victims)[number];

/** One case of the matrix. `SIGSTOP`: the process is suspended for some time and continues. */
export interface CrashCase {
  readonly victim: Victim;
  readonly signal: "SIGKILL" | "SIGABRT" | "SIGSTOP";
  /** `installing`: a second cluster is being installed. */
  readonly situation: "idle" | "installing";
  readonly clusters: number;
}

/** All cases. Those with `many` clusters are the last ones. */
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

/** Identifies a case in the file of rows. */
export function caseName({ victim, signal, situation, clusters }: CrashCase): string {
  return `${victim} ${signal} ${situation} ${clusters}`;
}

/** Cases without a row. `only`: part of the name of a case. */
export function remainingCases(
  cases: readonly CrashCase[],
  rows: readonly { readonly case: CrashCase }[],
  only = "",
): readonly CrashCase[] {
  const done = new Set(rows.map((row) => caseName(row.case)));
  return cases.filter((each) => caseName(each).includes(only) && !done.has(caseName(each)));
}
