import { textAt, valueAt } from "../../json/access.ts";
import { immutable } from "../changes.ts";
import {
  atLeast,
  between,
  dnsSubdomain,
  intOrPercent,
  nonNegative,
  notMoreThanAll,
  oneOf,
  positive,
  required,
} from "../checks.ts";
import type { Findings } from "../findings.ts";
import type { GroupFacts } from "./group-facts.ts";
import { counts } from "./replica-status.ts";

const highestUserPriority = 1_000_000_000;

/**
 * The small groups: policy, scheduling, coordination, node, certificates, apiregistration. Facts:
 * kubernetes pkg/apis of each of them, v1/defaults.go and validation/validation.go.
 */
export const clusterFacts: GroupFacts = {
  defaults: `
policy.v1.PodDisruptionBudget status={}
policy.v1.PodDisruptionBudgetStatus currentHealthy=0 desiredHealthy=0 disruptionsAllowed=0 expectedPods=0
scheduling.v1.PriorityClass preemptionPolicy="PreemptLowerPriority" value=0
coordination.v1.Lease spec={}
certificates.v1.CertificateSigningRequest status={}
apiregistration.v1.APIService status={}
apiregistration.v1.ServiceReference port=443
`,
  checks: {
    "policy.v1.PodDisruptionBudgetStatus": counts(
      "disruptionsAllowed",
      "currentHealthy",
      "desiredHealthy",
      "expectedPods",
    ),
    "policy.v1.PodDisruptionBudgetSpec": [
      [
        "",
        (spec, findings) => {
          if (valueAt(spec, "minAvailable") !== undefined && valueAt(spec, "maxUnavailable") !== undefined)
            findings.invalid(spec, "minAvailable and maxUnavailable cannot be both set");
        },
      ],
      ["minAvailable", intOrPercent, notMoreThanAll],
      ["maxUnavailable", intOrPercent, notMoreThanAll],
      ["selector"],
      ["unhealthyPodEvictionPolicy", oneOf("AlwaysAllow", "IfHealthyBudget")],
    ],
    "scheduling.v1.PriorityClass": [
      ["", userPriority],
      ["preemptionPolicy", oneOf("PreemptLowerPriority", "Never")],
    ],
    "coordination.v1.LeaseSpec": [
      ["leaseDurationSeconds", positive],
      ["leaseTransitions", nonNegative],
    ],
    "node.v1.RuntimeClass": [["handler", required]],
    "certificates.v1.CertificateSigningRequestSpec": [
      ["request", required],
      ["usages", required],
      ["signerName", required],
      ["expirationSeconds", atLeast(600, "may not specify a duration less than 600 seconds (10 minutes)")],
    ],
    "apiregistration.v1.APIServiceSpec": [
      ["group", dnsSubdomain],
      ["version", required],
      ["groupPriorityMinimum", between(1, 20_000)],
      ["versionPriority", between(1, 1_000)],
    ],
  },
  changes: {
    "scheduling.v1.PriorityClass": (priority, current, findings) => {
      if (valueAt(priority, "value") !== valueAt(current, "value"))
        findings.forbidden("may not be changed in an update.", "value");
      immutable("preemptionPolicy")(priority, current, findings);
    },
    "node.v1.RuntimeClass": immutable("handler"),
    "certificates.v1.CertificateSigningRequest": immutable("spec"),
  },
};

/** The classes that the server itself makes, with their values. */
const systemPriorities: Readonly<Record<string, number>> = {
  "system-cluster-critical": 2_000_000_000,
  "system-node-critical": 2_000_001_000,
};

function userPriority(priority: unknown, findings: Findings): void {
  const value = valueAt(priority, "value");
  const name = textAt(priority, "metadata", "name");
  if (name.startsWith("system-")) {
    const known = Object.hasOwn(systemPriorities, name) ? systemPriorities[name] : undefined;
    if (value === known) return;
    const error =
      known === undefined
        ? `${name} is not a known system priority class`
        : `value of ${name} PriorityClass must be ${known}`;
    const reserved = "priority class names with 'system-' prefix are reserved for system use only. error: ";
    findings.forbidden(reserved + error, "metadata", "name");
  } else if (typeof value === "number" && value > highestUserPriority)
    findings.forbidden(`maximum allowed value of a user defined priority is ${highestUserPriority}`, "value");
}
