import { type Clock, listAt, onTimeDeadline, stringAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";

/** Meaning of a ClusterDeployment condition for a running install. The first matching rule decides. */
interface ConditionRule {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  /** Condition reasons to which the rule applies. Default: every reason. */
  readonly reasons?: readonly string[];
  readonly meaning:
    | "terminal"
    /**
     * Progress text while the condition has this status. If the condition lasts longer than `limitMs`, the installation fails.
     * Default of `limitMs`: the time limit of the installation.
     */
    | { readonly activity: string; readonly limitMs?: number };
}

export interface HiveFailure {
  readonly reason: string;
  readonly message: string;
}

const minuteMs = 60_000;

/**
 * Conditions that Hive sets before and during an installation. A condition without a rule is not a failure. Some conditions
 * without a rule belong to installed clusters (Unreachable, SyncSetFailed), others to other platforms (AuthenticationFailure:
 * vSphere).
 */
const conditionRules: readonly ConditionRule[] = [
  // ProvisionFailed and ProvisionStopped have the same cause. ProvisionFailed is first, because its reason names this cause.
  { type: "ProvisionFailed", status: "True", meaning: "terminal" },
  { type: "ProvisionStopped", status: "True", meaning: "terminal" },
  {
    type: "Provisioned",
    status: "False",
    reasons: ["ProvisionStopped", "Deprovisioning", "Deprovisioned", "DeprovisionFailed"],
    meaning: "terminal",
  },
  {
    type: "RequirementsMet",
    status: "False",
    // These reasons are final. Hive does not watch Secrets, so a corrected Secret would have no effect.
    reasons: ["InstallConfigValidationFailed", "InstallConfigRefNotSet"],
    meaning: "terminal",
  },
  {
    type: "RequirementsMet",
    status: "False",
    reasons: ["ClusterImageSetNotFound"],
    meaning: { activity: "Hive waits for a ClusterImageSet" },
  },
  {
    type: "RequirementsMet",
    status: "False",
    reasons: ["CustomizationRefNotAvailable"],
    meaning: { activity: "Hive waits for a ClusterDeploymentCustomization" },
  },
  {
    type: "RequirementsMet",
    status: "False",
    meaning: { activity: "Hive waits for the requirements of the install" },
  },
  {
    type: "RequirementsMet",
    status: "Unknown",
    // Hive reports a missing Secret only in its log, and the status stays Unknown.
    meaning: {
      activity: "Hive waits for the Secrets aro-installconfig and aro-pullsecret",
      limitMs: 10 * minuteMs,
    },
  },
  {
    type: "InstallImagesNotResolved",
    status: "True",
    reasons: ["MinimalInstallModeWithoutImageOverride", "ReleaseImageVerificationFailed"],
    meaning: "terminal",
  },
  // Hive retries after the following conditions.
  ...["InstallImagesNotResolved", "InstallerImageResolutionFailed"].map(
    (type): ConditionRule => ({
      type,
      status: "True",
      meaning: { activity: "Hive resolves the images of the release", limitMs: 15 * minuteMs },
    }),
  ),
  {
    type: "DNSNotReady",
    status: "True",
    reasons: [
      "DNSNotReadyTimedOut",
      "InsufficientCredentials",
      "AuthenticationFailure",
      "APIOptInRequiredForDNS",
      "DNSZoneResourceConflict",
    ],
    meaning: "terminal",
  },
  {
    type: "DNSNotReady",
    status: "True",
    reasons: ["DNSNotReady"],
    meaning: { activity: "Hive waits for the DNS zone", limitMs: 10 * minuteMs },
  },
  { type: "DNSNotReady", status: "True", meaning: { activity: "Hive waits for the DNS zone" } },
  {
    type: "InstallLaunchError",
    status: "True",
    meaning: { activity: "Hive waits for the pod of the installer", limitMs: 15 * minuteMs },
  },
];

/** Returns the index of the first rule that matches a condition. -1 if no rule matches. */
function ruleIndex(type: string, status: string, reason: string): number {
  return conditionRules.findIndex(
    (rule) => rule.type === type && rule.status === status && (rule.reasons?.includes(reason) ?? true),
  );
}

export interface ConditionReport {
  /** Condition that fails the install. */
  readonly failure?: HiveFailure;
  /** Progress text of a condition that may still be resolved. */
  readonly activity?: string;
}

/**
 * Watches the conditions of one installation. Time in which this process did not poll does not count towards the time limits of
 * conditions.
 */
export class ConditionWatch {
  readonly #clock: Clock;
  /**
   * Functions that return true after the time limit of a condition has passed. The keys consist of the condition's type, status
   * and reason.
   */
  #deadlines: ReadonlyMap<string, () => boolean> = new Map();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  observe(deployment: KubeObject): ConditionReport {
    const deadlines = new Map<string, () => boolean>();
    const reports = listAt(deployment, "status", "conditions")
      .map((each) => {
        const type = stringAt(each, "type") ?? "";
        const status = stringAt(each, "status") ?? "";
        const reason = stringAt(each, "reason") ?? "";
        return { type, status, reason, message: stringAt(each, "message") ?? "" };
      })
      .map((condition) => ({
        condition,
        index: ruleIndex(condition.type, condition.status, condition.reason),
      }))
      .filter(({ index }) => index >= 0)
      .toSorted((left, right) => left.index - right.index)
      .map(({ condition, index }) => this.#judge(condition, conditionRules[index]?.meaning, deadlines));
    this.#deadlines = deadlines;
    return reports.find(({ failure }) => failure) ?? reports[0] ?? {};
  }

  #judge(
    { type, status, reason, message }: Condition,
    meaning: ConditionRule["meaning"] | undefined,
    deadlines: Map<string, () => boolean>,
  ): ConditionReport {
    if (meaning === undefined) return {};
    if (meaning === "terminal") return { failure: { reason, message } };
    const { activity, limitMs } = meaning;
    if (limitMs === undefined) return { activity };
    const key = `${type} ${status} ${reason}`;
    const isOver = this.#deadlines.get(key) ?? onTimeDeadline(this.#clock, limitMs);
    deadlines.set(key, isOver);
    if (!isOver()) return { activity };
    const lasted = `${activity}, for ${limitMs / minuteMs} minutes.`;
    return { failure: { reason, message: message ? `${lasted} ${message}` : lasted } };
  }
}

interface Condition extends HiveFailure {
  readonly type: string;
  readonly status: string;
}
