import type { ProgressReport } from "../install/install-context.ts";

interface Milestone extends ProgressReport {
  /** Pattern in the installer's output that shows that the milestone is reached. */
  readonly output: RegExp;
}

/**
 * Milestones of an installation. `fraction` is the part of the usual duration that has passed when the milestone is reached
 * (openshift/installer-aro-wrapper pkg/installer, pkg/util/arm).
 */
const milestones: readonly Milestone[] = [
  {
    output: /running step \[Action .*\.Manifests\.func1\]/,
    fraction: 0.05,
    activity: "generating the install configuration",
  },
  {
    output: /running step \[Action .*\.Manifests\.func2\]/,
    fraction: 0.1,
    activity: "generating manifests and certificates",
  },
  { output: /running step \[Action .*\.Manifests\.func3\]/, fraction: 0.15, activity: "storing the graph" },
  { output: /deploying resources template/, fraction: 0.2, activity: "creating control plane machines" },
  {
    output: /waiting for resources template to be deployed/,
    fraction: 0.25,
    activity: "waiting for control plane machines",
  },
  {
    output: /running step \[Condition .*bootstrapConfigMapReady/,
    fraction: 0.5,
    activity: "waiting for bootstrapping to complete",
  },
];

/** Computes an install's progress from the installer's output. The progress never decreases. */
export class InstallProgress {
  #reached = -1;

  /** Returns the latest milestone that these lines show. Undefined if they show no new milestone. */
  add(lines: readonly string[]): ProgressReport | undefined {
    const furthest = Math.max(
      -1,
      ...lines.map((line) => milestones.findLastIndex(({ output }) => output.test(line))),
    );
    if (furthest <= this.#reached) return undefined;
    this.#reached = furthest;
    const milestone = milestones[furthest];
    return milestone && { fraction: milestone.fraction, activity: milestone.activity };
  }
}
