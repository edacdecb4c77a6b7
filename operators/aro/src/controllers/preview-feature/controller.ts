import { previewFeatures, singleton } from "@keelson/aro-api";
import {
  allOf,
  type Condition,
  changedConditions,
  generationChanged,
  named,
  TerminalError,
  watchFor,
} from "@keelson/controller";
import { namesInAzureWatches, subnetPermissions } from "../../azure/cluster-subnets.ts";
import { done } from "../../runtime/aro-controller.ts";
import { may, reading } from "../../runtime/may.ts";
import type { Request } from "../../runtime/operator-context.ts";
import type { RegisteredController } from "../../runtime/registered-controller.ts";
import { type FlowLogResult, keepFlowLogs } from "./nsg-flow-logs.ts";

/** Resync interval in ms. The controller polls, because Azure does not notify it of flow log changes. */
const resyncMs = 15 * 60_000;
const settleMs = 20_000;
const maxMessage = 4_096;

/** Reconciles the PreviewFeature `cluster`. It configures flow logs of network security groups. */
export const previewFeature: RegisteredController = {
  name: "PreviewFeature",
  documentation: {
    purpose:
      "Configures flow logs for the network security groups of the cluster's subnets, according to `spec.nsgFlowLogs` of the PreviewFeature. Sets the conditions `NSGFlowLogsEnabled` and `NSGFlowLogsDegraded` of the PreviewFeature.",
    improvement:
      "Writes the status, but only differences. Sets the retention and its number of days together. Subnets without a security group and a deleted PreviewFeature do not count as failures. Retries rejected settings only after a change.",
  },
  watches: [
    ...namesInAzureWatches,
    watchFor(previewFeatures, singleton, {
      selection: { fieldSelector: `metadata.name=${singleton.name}` },
      where: allOf(named(singleton.name), generationChanged),
    }),
  ],
  resyncMs,
  permissions: [
    ...subnetPermissions,
    may(reading, "preview.aro.openshift.io", ["previewfeatures"]),
    may(["patch"], "preview.aro.openshift.io", ["previewfeatures/status"]),
  ],
  async reconcile(request) {
    const feature = await request.objects.find(previewFeatures, singleton);
    if (!feature) return done;
    const settings = feature.spec?.nsgFlowLogs;
    if (!settings) {
      const message = "spec.nsgFlowLogs is not set: flow logs are left alone";
      await report(request, [enabled("Unknown", "NotConfigured", message), degraded([])]);
      return done;
    }
    const result = await keepFlowLogs(request, settings);
    const { failures, faults } = result;
    const all = [...faults, ...failures];
    await report(request, [enabledBy(settings.enabled, result), degraded(all)]);
    if (failures.length > 0) throw new Error(all.join("\n"));
    if (faults.length > 0) throw new TerminalError(all.join("\n"));
    return result.isWorking ? { requeueAfterMs: settleMs } : done;
  },
};

function enabled(status: Condition["status"], reason: string, message: string): Condition {
  return { type: "NSGFlowLogsEnabled", status, reason, message };
}

function enabledBy(isOn: boolean, { groups, failures, faults, isWorking }: FlowLogResult): Condition {
  if (failures.length + faults.length > 0)
    return enabled("Unknown", "ReconcileFailed", "some flow logs are not as they should be");
  if (isWorking) return enabled("Unknown", "Updating", "Azure works on flow logs");
  const of = `of ${groups} network security groups`;
  return isOn
    ? enabled("True", "Enabled", `flow logs ${of} are on`)
    : enabled("False", "Disabled", `flow logs ${of} are off`);
}

function degraded(failures: readonly string[]): Condition {
  const type = "NSGFlowLogsDegraded";
  if (failures.length === 0) return { type, status: "False", reason: "AsExpected", message: "" };
  const message = failures.join("\n").slice(0, maxMessage);
  return { type, status: "True", reason: "ReconcileFailed", message };
}

/** Writes the status, which has no other writer. */
async function report({ api, clock, objects, signal, version }: Request, conditions: readonly Condition[]) {
  const live = await objects.find(previewFeatures, singleton);
  const changed = changedConditions(live, conditions, clock.now());
  if (!live || (!changed && live.status?.operatorVersion === version)) return;
  const status = { operatorVersion: version, ...(changed ? { conditions: changed } : {}) };
  await api.mergePatch(previewFeatures, singleton, { status }, signal, "status");
}
