import { scalarStringAt } from "@keelson/apimachinery";
import { valueAt } from "@keelson/base";
import { immutable } from "../../catalogue/changes.ts";
import { intOrPercent, nonNegative, notEmptySelector, notMoreThanAll } from "../../catalogue/checks.ts";
import { counts, partsOf } from "../../catalogue/facts/replica-status.ts";
import { ownTemplate, selectsTemplate } from "../../catalogue/facts/workloads.ts";
import type { Findings } from "../../catalogue/findings.ts";
import { ageColumn, count, declared, nameColumn } from "../../columns/column.ts";
import { readyOfDesired, selector, templateColumns } from "../../columns/workload-columns.ts";
import type { Kind } from "../kind.ts";
import { isZero, rolling } from "./rolling-update.ts";

/**
 * Built-in kind Deployment. Source of its rules: kubernetes pkg/apis/apps/v1/defaults.go and
 * pkg/apis/apps/validation/validation.go.
 */
export const deployment: Kind = {
  group: "apps",
  versions: ["v1"],
  kind: "Deployment",
  plural: "deployments",
  shortNames: ["deploy"],
  categories: ["all"],
  namespaced: true,
  description: "Maintains a number of identical pods and rolls out changes to them.",
  subresources: { status: {}, scale: {} },
  strategy: { generation: { countsMetadata: "annotations" }, keptWithStatus: "labels" },
  columns: [
    nameColumn,
    readyOfDesired,
    declared("string", count("Up-to-date", "status.updatedReplicas")),
    declared("string", count("Available", "status.availableReplicas")),
    ageColumn,
    ...templateColumns(),
    selector,
  ],
  podTemplate: ["spec", "template"],
  types: {
    defaults: `
apps.v1.Deployment spec={} status={}
apps.v1.DeploymentSpec replicas=1 template={} strategy={} revisionHistoryLimit=10 progressDeadlineSeconds=600
apps.v1.DeploymentStrategy type="RollingUpdate"
apps.v1.RollingUpdateDeployment maxUnavailable="25%" maxSurge="25%"
`,
    derived: {
      "apps.v1.DeploymentStrategy": rolling,
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
      "apps.v1.DeploymentSpec": [
        ["replicas", nonNegative],
        ["selector", notEmptySelector("deployment")],
        ["", selectsTemplate],
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
            const type = scalarStringAt(strategy, "type");
            if (type === "Recreate" && valueAt(strategy, "rollingUpdate") !== undefined)
              findings.forbidden("may not be specified when strategy `type` is 'Recreate'", "rollingUpdate");
            if (type !== "Recreate" && type !== "RollingUpdate")
              findings.notSupported(
                { Type: type, RollingUpdate: valueAt(strategy, "rollingUpdate") ?? null },
                ["Recreate", "RollingUpdate"],
              );
          },
        ],
      ],
      "apps.v1.RollingUpdateDeployment": [
        ["maxUnavailable", intOrPercent],
        ["maxSurge", intOrPercent],
        ["", notBothZero],
        ["maxUnavailable", notMoreThanAll],
      ],
    },
    changes: {
      "apps.v1.Deployment": immutable("spec.selector"),
    },
    mergeKeys: `
apps.v1.DeploymentSpec strategy=+
apps.v1.DeploymentStatus conditions=type
`,
    ownership: `
apps.v1.DeploymentStatus conditions=type
`,
    protobuf: `
apps.v1.Deployment metadata=1 spec=2 status=3
apps.v1.DeploymentCondition type=1* status=2* lastUpdateTime=6 lastTransitionTime=7 reason=4 message=5
apps.v1.DeploymentSpec replicas=1* selector=2 template=3 strategy=4 minReadySeconds=5 revisionHistoryLimit=6* paused=7 progressDeadlineSeconds=9*
apps.v1.DeploymentStatus observedGeneration=1 replicas=2 updatedReplicas=3 readyReplicas=7 availableReplicas=4 unavailableReplicas=5 terminatingReplicas=9* conditions=6 collisionCount=8*
apps.v1.DeploymentStrategy type=1 rollingUpdate=2
apps.v1.RollingUpdateDeployment maxUnavailable=1* maxSurge=2*
`,
    enums: `
apps.v1.DeploymentStrategy.type Recreate|RollingUpdate
`,
  },
};

function notBothZero(update: unknown, findings: Findings): void {
  const unavailable = valueAt(update, "maxUnavailable");
  if (isZero(unavailable) && isZero(valueAt(update, "maxSurge")))
    findings.invalid(unavailable, "may not be 0 when `maxSurge` is 0", "maxUnavailable");
}
