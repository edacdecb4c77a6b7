import type { ProgressReport } from "../install-context.ts";

interface Milestone extends ProgressReport {
  /** What `openshift-install` says when it gets there. */
  readonly says: RegExp;
}

/** By the usual share of the time of an install (openshift/installer cmd/openshift-install, pkg/infrastructure). */
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

/** How far an install is, by what was printed so far. It never goes back. */
export class InstallProgress {
  #reached = -1;

  /** The milestone that these lines reach, if it is a new one. */
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

/** Whether the installer got as far as it must; a process that nobody saw ending says so only here. */
export function hasCompleted(output: string): boolean {
  return /Install complete!|It is now safe to remove the bootstrap resources/.test(output);
}

/** Whether all infrastructure is there, so that the rest can be waited for by another process. */
export function hasInfrastructure(output: string): boolean {
  return /Waiting up to .* for the Kubernetes API/.test(output);
}
