/** Period in which clusters are not changed. Times: RFC 3339. */
export interface ChangeFreeze {
  readonly from: string;
  readonly until: string;
  readonly reason: string;
  /** True if persons with the role `elevated` may act, with a reason. */
  readonly emergency: boolean;
}

/** Rules for actions beyond roles. Default of each: off. */
export interface GovernanceSettings {
  /** The role `elevated` must be activated, and ends after this time at the latest. */
  readonly elevation?: { readonly maxMinutes: number } | undefined;
  /** A second person approves destructive actions. A request without an approval by then is void. */
  readonly approval?: { readonly validMinutes: number } | undefined;
  readonly freezes: readonly ChangeFreeze[];
}

export const noGovernance: GovernanceSettings = { freezes: [] };

/** The freeze that contains a moment. */
export function freezeAt({ freezes }: GovernanceSettings, now: Date): ChangeFreeze | undefined {
  return freezes.find(
    ({ from, until }) => Date.parse(from) <= now.getTime() && now.getTime() < Date.parse(until),
  );
}

/** True if a caller may change clusters in spite of a freeze. */
export function mayChangeIn(
  freeze: ChangeFreeze | undefined,
  { isElevated, reason }: { readonly isElevated: boolean; readonly reason: string | undefined },
): boolean {
  return freeze === undefined || (freeze.emergency && isElevated && reason !== undefined);
}
