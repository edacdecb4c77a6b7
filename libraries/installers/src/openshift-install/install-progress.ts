import type { ProgressReport } from "../install/install-context.ts";

interface Milestone extends ProgressReport {
  /** What `openshift-install` prints at the milestone. */
  readonly says: RegExp;
}

/** Fractions are shares of an install's usual time (openshift/installer cmd/openshift-install, pkg/infrastructure). */
const milestones: readonly Milestone[] = [
  { says: /Creating infrastructure resources/, fraction: 0.05, activity: "creating infrastructure" },
  { says: /Network infrastructure is ready/, fraction: 0.15, activity: "creating control plane machines" },
  { says: /Control-plane machines are ready/, fraction: 0.3, activity: "starting control plane machines" },
  {
    says: /Waiting up to .* for the Kubernetes API/,
    fraction: 0.35,
    activity: "waiting for the Kubernetes API",
  },
  { says: /API v\S+ up/, fraction: 0.45, activity: "the Kubernetes API is up" },
  {
    says: /Waiting up to .* for bootstrapping to complete/,
    fraction: 0.5,
    activity: "waiting for bootstrapping to complete",
  },
  {
    says: /Destroying the bootstrap resources|It is now safe to remove the bootstrap resources/,
    fraction: 0.65,
    activity: "removing the bootstrap machine",
  },
  {
    says: /Waiting up to .* for the cluster at .* to initialize/,
    fraction: 0.7,
    activity: "waiting for cluster operators",
  },
  { says: /Install complete!/, fraction: 1, activity: "install complete" },
];

/** The progress of an install by its output. It never decreases. */
export class InstallProgress {
  #reached = -1;

  /** The milestone that these lines reach; `undefined` when it is no later one. */
  add(lines: readonly string[]): ProgressReport | undefined {
    const furthest = Math.max(
      -1,
      ...lines.map((line) => milestones.findLastIndex(({ says }) => says.test(line))),
    );
    if (furthest <= this.#reached) return undefined;
    this.#reached = furthest;
    const milestone = milestones[furthest];
    return milestone && { fraction: milestone.fraction, activity: milestone.activity };
  }
}

/** Whether the output shows success: all that is known of a process whose exit code is not. */
export function hasCompleted(output: string): boolean {
  return /Install complete!|It is now safe to remove the bootstrap resources/.test(output);
}

/** Whether all infrastructure exists, so that another process can wait for the rest. */
export function hasInfrastructure(output: string): boolean {
  return /Waiting up to .* for the Kubernetes API/.test(output);
}
