import { arrayAt, recordAt, textAt, valueAt } from "../../json/access.ts";
import { immutable, unchangedBut } from "../changes.ts";
import {
  dnsLabel,
  intOrPercent,
  nonNegative,
  notEmptySelector,
  notMoreThanAll,
  oneOf,
  selectsSomething,
} from "../checks.ts";
import type { Findings } from "../findings.ts";
import type { Fields, GroupFacts } from "./group-facts.ts";
import { counts, partsOf, replicaStatus } from "./replica-status.ts";
import { ownTemplate } from "./workloads.ts";

/** Facts: kubernetes pkg/apis/apps/v1/defaults.go and pkg/apis/apps/validation/validation.go. */
export const appsFacts: GroupFacts = {
  defaults: `
apps.v1.Deployment spec={} status={}
apps.v1.DeploymentSpec replicas=1 template={} strategy={} revisionHistoryLimit=10 progressDeadlineSeconds=600
apps.v1.DeploymentStrategy type="RollingUpdate"
apps.v1.RollingUpdateDeployment maxUnavailable="25%" maxSurge="25%"
apps.v1.DaemonSet spec={} status={}
apps.v1.DaemonSetSpec template={} updateStrategy={} revisionHistoryLimit=10
apps.v1.DaemonSetUpdateStrategy type="RollingUpdate"
apps.v1.RollingUpdateDaemonSet maxUnavailable=1 maxSurge=0
apps.v1.StatefulSet spec={} status={}
apps.v1.StatefulSetSpec template={} podManagementPolicy="OrderedReady" updateStrategy={} replicas=1 revisionHistoryLimit=10 persistentVolumeClaimRetentionPolicy={}
apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy whenDeleted="Retain" whenScaled="Retain"
apps.v1.RollingUpdateStatefulSetStrategy partition=0
apps.v1.ReplicaSet spec={} status={}
apps.v1.ReplicaSetSpec replicas=1 template={}
`,
  derived: {
    "apps.v1.DeploymentStrategy": rolling,
    "apps.v1.DaemonSetUpdateStrategy": rolling,
    "apps.v1.StatefulSetUpdateStrategy": (strategy) =>
      strategy.type ? strategy : { rollingUpdate: {}, ...strategy, type: "RollingUpdate" },
    "apps.v1.StatefulSetSpec": (spec) => {
      const templates = spec.volumeClaimTemplates;
      return Array.isArray(templates)
        ? { ...spec, volumeClaimTemplates: templates.map(claimTemplate) }
        : spec;
    },
  },
  checks: {
    "apps.v1.DeploymentStatus": [
      ...counts(
        "observedGeneration",
        "replicas",
        "updatedReplicas",
        "readyReplicas",
        "availableReplicas",
        "unavailableReplicas",
        "collisionCount",
      ),
      ["", partsOf("replicas", ["updatedReplicas", "readyReplicas", "availableReplicas"])],
      ["", partsOf("readyReplicas", ["availableReplicas"], "readyReplicas")],
    ],
    "apps.v1.ReplicaSetStatus": replicaStatus,
    "apps.v1.StatefulSetStatus": [
      ...counts(
        "replicas",
        "readyReplicas",
        "currentReplicas",
        "updatedReplicas",
        "availableReplicas",
        "observedGeneration",
        "collisionCount",
      ),
      ["", partsOf("replicas", ["readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"])],
      ["", partsOf("readyReplicas", ["availableReplicas"])],
    ],
    "apps.v1.DaemonSetStatus": counts(
      "currentNumberScheduled",
      "numberMisscheduled",
      "desiredNumberScheduled",
      "numberReady",
      "observedGeneration",
      "updatedNumberScheduled",
      "numberAvailable",
      "numberUnavailable",
      "collisionCount",
    ),
    "apps.v1.DeploymentSpec": [
      ["replicas", nonNegative],
      ["selector", notEmptySelector("deployment")],
      ["template"],
      ["", ownTemplate("ReplicaSet")],
      ["strategy"],
      ["minReadySeconds", nonNegative],
      ["revisionHistoryLimit", nonNegative],
      ["progressDeadlineSeconds", nonNegative],
      [
        "",
        (spec, findings) => {
          const deadline = valueAt(spec, "progressDeadlineSeconds");
          const ready = valueAt(spec, "minReadySeconds") ?? 0;
          if (typeof deadline === "number" && typeof ready === "number" && deadline <= ready)
            findings.invalid(deadline, "must be greater than minReadySeconds", "progressDeadlineSeconds");
        },
      ],
    ],
    "apps.v1.DeploymentStrategy": [
      [
        "",
        (strategy, findings) => {
          const type = textAt(strategy, "type");
          if (type === "Recreate" && valueAt(strategy, "rollingUpdate") !== undefined)
            findings.forbidden("may not be specified when strategy `type` is 'Recreate'", "rollingUpdate");
          if (type !== "Recreate" && type !== "RollingUpdate")
            findings.notSupported(strategy, ["Recreate", "RollingUpdate"]);
        },
      ],
    ],
    "apps.v1.RollingUpdateDeployment": [
      ["maxUnavailable", intOrPercent],
      ["maxSurge", intOrPercent],
      ["", notBothZero],
      ["maxUnavailable", notMoreThanAll],
    ],
    "apps.v1.ReplicaSetSpec": [
      ["replicas", nonNegative],
      ["minReadySeconds", nonNegative],
      ["selector", notEmptySelector("deployment")],
      ["template"],
      ["", ownTemplate("ReplicaSet")],
    ],
    "apps.v1.DaemonSetSpec": [
      ["selector", selectsSomething("daemonset")],
      ["template"],
      ["", ownTemplate("DaemonSet")],
      ["minReadySeconds", nonNegative],
      ["updateStrategy"],
      ["revisionHistoryLimit", nonNegative],
    ],
    "apps.v1.DaemonSetUpdateStrategy": [["type", oneOf("RollingUpdate", "OnDelete")]],
    "apps.v1.RollingUpdateDaemonSet": [
      ["maxUnavailable", intOrPercent, notMoreThanAll],
      ["maxSurge", intOrPercent, notMoreThanAll],
      [
        "",
        (update, findings) => {
          const [unavailable, surge] = [valueAt(update, "maxUnavailable"), valueAt(update, "maxSurge")];
          if (isZero(unavailable) && isZero(surge))
            findings.required("cannot be 0 when maxSurge is 0", "maxUnavailable");
          if (!isZero(unavailable) && !isZero(surge))
            findings.invalid(surge, "may not be set when maxUnavailable is non-zero", "maxSurge");
        },
      ],
    ],
    "apps.v1.StatefulSetSpec": [
      [
        "podManagementPolicy",
        (value, findings) => {
          if (value !== "OrderedReady" && value !== "Parallel")
            findings.invalid(value, "must be 'OrderedReady' or 'Parallel'");
        },
      ],
      ["updateStrategy"],
      ["persistentVolumeClaimRetentionPolicy"],
      ["replicas", nonNegative],
      ["minReadySeconds", nonNegative],
      ["serviceName", dnsLabel],
      ["selector", notEmptySelector("statefulset")],
      ["template"],
      ["", ownTemplate("StatefulSet", claimNames)],
    ],
    "apps.v1.StatefulSetUpdateStrategy": [
      [
        "",
        (strategy, findings) => {
          const type = textAt(strategy, "type");
          if (type === "OnDelete" && valueAt(strategy, "rollingUpdate") !== undefined)
            findings.invalid(
              valueAt(strategy, "rollingUpdate"),
              "only allowed for updateStrategy 'RollingUpdate'",
              "rollingUpdate",
            );
          if (type !== "OnDelete" && type !== "RollingUpdate")
            findings.invalid(strategy, "must be 'RollingUpdate' or 'OnDelete'");
        },
      ],
    ],
    "apps.v1.RollingUpdateStatefulSetStrategy": [
      ["partition", nonNegative],
      ["maxUnavailable", intOrPercent, notMoreThanAll],
    ],
    "apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy": [
      ["whenDeleted", oneOf("Retain", "Delete")],
      ["whenScaled", oneOf("Retain", "Delete")],
    ],
    "apps.v1.ControllerRevision": [["revision", nonNegative]],
  },
  changes: {
    "apps.v1.Deployment": immutable("spec.selector"),
    "apps.v1.DaemonSet": immutable("spec.selector"),
    "apps.v1.ReplicaSet": immutable("spec.selector"),
    "apps.v1.ControllerRevision": immutable("data"),
    "apps.v1.StatefulSet": unchangedBut(
      [
        "replicas",
        "ordinals",
        "template",
        "updateStrategy",
        "revisionHistoryLimit",
        "persistentVolumeClaimRetentionPolicy",
        "minReadySeconds",
      ],
      "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', " +
        "'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
    ),
  },
};

function rolling(strategy: Fields): Fields {
  return strategy.type === "RollingUpdate" && strategy.rollingUpdate === undefined
    ? { ...strategy, rollingUpdate: {} }
    : strategy;
}

/** A claim template says what it is, and is pending like every claim. */
function claimTemplate(template: unknown): unknown {
  return {
    ...recordAt(template),
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    status: { phase: "Pending", ...recordAt(template, "status") },
  };
}

function claimNames(spec: unknown): readonly string[] {
  return arrayAt(spec, "volumeClaimTemplates").map((claim) => textAt(claim, "metadata", "name"));
}

function notBothZero(update: unknown, findings: Findings): void {
  const unavailable = valueAt(update, "maxUnavailable");
  if (isZero(unavailable) && isZero(valueAt(update, "maxSurge")))
    findings.invalid(unavailable, "may not be 0 when `maxSurge` is 0", "maxUnavailable");
}

function isZero(value: unknown): boolean {
  return value === 0 || value === "0%";
}
