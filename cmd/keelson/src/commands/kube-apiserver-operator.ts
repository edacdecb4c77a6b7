import type { Command } from "commander";
import { addCertRegenerationController } from "./kube-apiserver-operator/cert-regeneration-controller.ts";
import { addCertSyncer } from "./kube-apiserver-operator/cert-syncer.ts";
import { addCheckEndpoints } from "./kube-apiserver-operator/check-endpoints.ts";
import { addDiff } from "./kube-apiserver-operator/diff.ts";
import { addInsecureReadyz } from "./kube-apiserver-operator/insecure-readyz.ts";
import { addInstaller } from "./kube-apiserver-operator/installer.ts";
import { addKmsHealthReporter } from "./kube-apiserver-operator/kms-health-reporter.ts";
import { addKmsPreflight } from "./kube-apiserver-operator/kms-preflight.ts";
import { addApiserverOperator } from "./kube-apiserver-operator/operator.ts";
import { addPrune } from "./kube-apiserver-operator/prune.ts";
import { addRender } from "./kube-apiserver-operator/render.ts";
import { addResourceGraph } from "./kube-apiserver-operator/resource-graph.ts";
import { addStartupMonitor } from "./kube-apiserver-operator/startup-monitor.ts";
import { addTimeline } from "./kube-apiserver-operator/timeline.ts";

/**
 * Adds the subcommands of `keelson kube-apiserver-operator`. Each subcommand is a file in `kube-apiserver-operator/` that imports
 * its dependencies when it runs.
 */
export function addKubeApiserverOperator(root: Command): Command {
  const command = root
    .command("kube-apiserver-operator")
    .description(
      "run one of these programs: a cluster's kube-apiserver operator, a helper program of this operator, or a diagnostic command",
    );
  for (const add of [
    addApiserverOperator,
    addRender,
    addInstaller,
    addPrune,
    addCertSyncer,
    addCheckEndpoints,
    addCertRegenerationController,
    addInsecureReadyz,
    addKmsHealthReporter,
    addKmsPreflight,
    addStartupMonitor,
    addDiff,
    addResourceGraph,
    addTimeline,
  ])
    add(command).copyInheritedSettings(command);
  return command;
}
