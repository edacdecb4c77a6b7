import { isFlagOn, singleton } from "@keelson/aro-api";
import { withTimeout } from "@keelson/base";
import { type Condition, metadataOnly, named, watchFor } from "@keelson/controller";
import { resources } from "@keelson/kube";
import { namesInAzureWatches, subnetPermissions } from "../../azure/cluster-subnets.ts";
import { checkerFlag } from "../../runtime/flags.ts";
import { may, reading } from "../../runtime/may.ts";
import type { Request } from "../../runtime/operator-context.ts";
import type { RegisteredController } from "../../runtime/registered-controller.ts";
import { judgeGraphRoles } from "./graph-roles.ts";
import { linkedResources } from "./linked-resources.ts";
import { judgeRights } from "./rights.ts";
import { combined, type Verdict, verdictOf } from "./verdict.ts";

const recheckMs = 3_600_000;
/** Recheck interval in ms after a failure. Azure takes minutes to propagate a new secret or role assignment. */
const recheckFailureMs = 60_000;
const checkLimitMs = 120_000;

const credentials = { namespace: "kube-system", name: "azure-credentials" };

/** Checks that the cluster's principal can sign in and has the required permissions. */
export const servicePrincipalChecker: RegisteredController = {
  name: "ServicePrincipalChecker",
  flags: checkerFlag,
  conditionTypes: ["ServicePrincipalValid", "WorkloadIdentityValid"],
  documentation: {
    purpose:
      "Checks that the cluster's principal can sign in, does not have the role `Application.ReadWrite.OwnedBy`, and has the required permissions on networks, subnets, attached resources and disk encryption sets.",
    improvement:
      "Also checks permissions. Reports False for a definite fault, and Unknown only while Azure does not respond. Retries a failure every minute.",
  },
  watches: [
    ...namesInAzureWatches,
    watchFor(resources.secrets, singleton, {
      selection: { namespace: credentials.namespace, fieldSelector: `metadata.name=${credentials.name}` },
      where: named(credentials.name),
      strip: metadataOnly,
    }),
  ],
  permissions: [
    ...subnetPermissions,
    may(reading, "", ["secrets"], { namespace: credentials.namespace, resourceNames: [credentials.name] }),
  ],
  conditions: "none",
  async reconcile(request) {
    const { azure, flags, status } = request;
    const { usesWorkloadIdentity } = azure.principal;
    if (!isFlagOn(flags, "aro.checker.enabled")) {
      await status.set(conditionsFor(usesWorkloadIdentity, (type) => ({ type, status: "Unknown" })));
      return {};
    }
    const verdict = await judge(request);
    await status.set(conditionsFor(usesWorkloadIdentity, (type, who) => conditionOf(type, who, verdict)));
    return { requeueAfterMs: verdict.status === "True" ? recheckMs : recheckFailureMs };
  },
};

async function judge(request: Request): Promise<Verdict> {
  const { azure, signal } = request;
  const limit = withTimeout(signal, checkLimitMs);
  try {
    const ofRoles = judgeGraphRoles(await azure.newGraphToken(limit));
    const clients = await azure.clients();
    const { resources: linked, unread } = await linkedResources(request);
    const ofRights: Verdict[] = [];
    for (const each of linked) {
      ofRights.push(await judgeRights(clients, azure.principal, each, limit));
      limit.throwIfAborted();
    }
    return combined([ofRoles, ...ofRights, ...unread]);
  } catch (error) {
    signal.throwIfAborted();
    return verdictOf(error);
  }
}

/**
 * Returns the conditions to set. `ServicePrincipalValid` is also set in clusters with a workload identity, because the control
 * plane resize reads it in all clusters.
 */
function conditionsFor(
  usesWorkloadIdentity: boolean,
  make: (type: string, who: string) => Condition,
): readonly Condition[] {
  const ofPrincipal = make("ServicePrincipalValid", "Service Principal");
  return usesWorkloadIdentity
    ? [ofPrincipal, make("WorkloadIdentityValid", "Workload Identity")]
    : [ofPrincipal];
}

function conditionOf(type: string, who: string, verdict: Verdict): Condition {
  const { status } = verdict;
  if (status === "True") return { type, status, reason: "Validation Successful", message: `${who} is valid` };
  const reason = status === "False" ? `${who} invalid` : "Validation Unavailable";
  return { type, status, reason, message: verdict.message };
}
