import { singleton } from "@keelson/aro-api";
import { boundedText } from "@keelson/base";
import { type Condition, named, watchFor } from "@keelson/controller";
import { isKubeNotFound, resources } from "@keelson/kube";
import { namesInAzureWatches, subnetPermissions } from "../../azure/cluster-subnets.ts";
import { checkerFlag } from "../../runtime/flags.ts";
import { managing, may } from "../../runtime/may.ts";
import type { Request } from "../../runtime/operator-context.ts";
import type { RegisteredController } from "../../runtime/registered-controller.ts";
import { AzureFindings, type Findings, type Intervals } from "./azure-findings.ts";
import { expiringCredentials } from "./expiring-credentials.ts";
import { fewWorkers } from "./few-workers.ts";
import { foreignSecurityGroup } from "./foreign-security-group.ts";
import { unsupportedTaints } from "./unsupported-taints.ts";
import { notificationOf, type Warning, warningNames } from "./warning.ts";
import { workerNodesChanged, workerTaints } from "./worker-nodes.ts";

const { consoleNotifications } = resources;
const type = "UserActionRequired";
const maxMessage = 2_048;

/** Intervals in ms. The operator repairs subnets every 15 minutes. */
const defaultIntervals: Intervals = {
  subnetsMs: 15 * 60_000,
  confirmMs: 16 * 60_000,
  failureMs: 5 * 60_000,
  secretMs: 6 * 3_600_000,
};

/**
 * Warns customers of problems that only they can fix. Warnings appear in the web console and in the condition
 * `UserActionRequired`. They never block updates, because the ClusterOperator's Upgradeable condition does not include them.
 */
export function userWarningsWith(intervals: Intervals = defaultIntervals): RegisteredController {
  const findingsOf = new WeakMap<Request["cache"], AzureFindings>();
  return {
    name: "UserWarnings",
    flag: "aro.checker.enabled",
    flags: checkerFlag,
    conditionTypes: ["UserActionRequired"],
    documentation: {
      purpose:
        "Warns about problems that only the customer can fix, each with a ConsoleNotification. It warns about fewer than three workers, and about taints that leave fewer than three workers for the platform. It also warns if the client secret expires within 30 days, and if a subnet has not had the cluster's own network security group for 16 minutes. Clusters with preconfigured NSGs are exempt from the warning about subnets.",
      improvement:
        "New. The original contains code for the warning about workers, but never runs it. No warning sets Upgradeable of the ClusterOperator, so warnings never block updates. The condition is Unknown while Azure does not respond. To warn about the expiry, the operator's principal must be able to read its own application in Microsoft Graph.",
    },
    watches: [
      workerNodesChanged,
      ...namesInAzureWatches,
      // The kind has few objects. One watch for the complete kind costs less than a separate watch for each name.
      watchFor(consoleNotifications, singleton, { where: named(...warningNames) }),
    ],
    permissions: [
      may(["list", "watch"], "", ["nodes"]),
      may(managing, "console.openshift.io", ["consolenotifications"]),
      ...subnetPermissions,
    ],
    async reconcile(request) {
      const { azure, cache, clock, status } = request;
      const findings = findingsOf.get(cache) ?? new AzureFindings(intervals);
      findingsOf.set(cache, findings);
      const found = await findings.read(request);
      const workers = workerTaints(cache);
      const warnings = [
        fewWorkers(workers.length),
        unsupportedTaints(workers),
        foreignSecurityGroup(found.subnets),
        expiringCredentials(azure.principal.clientId, found.secretEnd, clock.now()),
      ].filter((each) => each !== undefined);
      await status.set([conditionOf(warnings, found)]);
      await show(request, warnings);
      return { requeueAfterMs: found.leftMs };
    },
    async disabled(request) {
      await request.status.set([{ type, status: "Unknown" }]);
      await show(request, []);
      return {};
    },
  };
}

/** User warnings controller with the intervals that the service uses. */
export const userWarnings: RegisteredController = userWarningsWith();

async function show({ objects }: Request, warnings: readonly Warning[]): Promise<void> {
  for (const name of warningNames) {
    const warning = warnings.find((each) => each.name === name);
    if (warning) await objects.ensure(consoleNotifications, notificationOf(warning)).catch(noConsole);
    else await objects.remove(consoleNotifications, { name });
  }
}

/**
 * Ignores the error that reports a missing ConsoleNotification kind. In clusters without the Console capability, warnings appear
 * only in the condition.
 */
function noConsole(error: unknown): undefined {
  if (!isKubeNotFound(error)) throw error;
}

/** Returns the condition. Its status is Unknown only if there are no warnings and a read failed. */
function conditionOf(warnings: readonly Warning[], { failure }: Findings): Condition {
  if (warnings.length > 0) {
    const reason = warnings.map((each) => each.reason).join("::");
    const message = boundedText(warnings.map(({ text }) => text).join("\n"), maxMessage);
    return { type, status: "True", reason, message };
  }
  if (failure !== undefined)
    return { type, status: "Unknown", reason: "CheckFailed", message: boundedText(failure, maxMessage) };
  return {
    type,
    status: "False",
    reason: "CheckDone",
    message: "No problem found that the customer must fix",
  };
}
