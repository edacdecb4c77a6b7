/** Period in which clusters must not be changed. Times: RFC 3339. */
export interface ChangeFreeze {
  readonly from: string;
  readonly until: string;
  readonly reason: string;
  /** True if persons with the role `elevated` may still change clusters during the freeze, provided that they give a reason. */
  readonly emergency: boolean;
}

/** Rules that restrict actions further, in addition to the caller's role. Each rule is off by default. */
export interface GovernanceSettings {
  /** Requires activation of the role `elevated`. The activation expires after at most `maxMinutes` minutes. */
  readonly elevation?: { readonly maxMinutes: number } | undefined;
  /**
   * Requires a second person's approval for destructive actions. A request without an approval expires after `validMinutes`
   * minutes.
   */
  readonly approval?: { readonly validMinutes: number } | undefined;
  readonly freezes: readonly ChangeFreeze[];
}

export const noGovernance: GovernanceSettings = { freezes: [] };

/** Returns the change freeze that is active at `now`. Undefined if there is none. */
export function freezeAt({ freezes }: GovernanceSettings, now: Date): ChangeFreeze | undefined {
  return freezes.find(
    ({ from, until }) => Date.parse(from) <= now.getTime() && now.getTime() < Date.parse(until),
  );
}

/** True if a caller may change clusters during a freeze. */
export function mayChangeIn(
  freeze: ChangeFreeze | undefined,
  { isElevated, reason }: { readonly isElevated: boolean; readonly reason: string | undefined },
): boolean {
  return freeze === undefined || (freeze.emergency && isElevated && reason !== undefined);
}
