import { scalarStringAt } from "@keelson/apimachinery";
import { listAt, objectAt, valueAt } from "@keelson/base";
import { unchangedBut } from "../../catalogue/changes.ts";
import {
  dnsLabel,
  intOrPercent,
  nonNegative,
  notEmptySelector,
  notMoreThanAll,
  oneOf,
} from "../../catalogue/checks.ts";
import { counts, partsOf } from "../../catalogue/facts/replica-status.ts";
import { ownTemplate, selectsTemplate } from "../../catalogue/facts/workloads.ts";
import { ageColumn, nameColumn } from "../../columns/column.ts";
import { readyOfDesired, templateColumns } from "../../columns/workload-columns.ts";
import type { Kind } from "../kind.ts";

/**
 * Built-in kind StatefulSet. Source of its rules: kubernetes pkg/apis/apps/v1/defaults.go and
 * pkg/apis/apps/validation/validation.go.
 */
export const statefulSet: Kind = {
  group: "apps",
  versions: ["v1"],
  kind: "StatefulSet",
  plural: "statefulsets",
  shortNames: ["sts"],
  categories: ["all"],
  namespaced: true,
  description: "Maintains pods with stable identities and volumes.",
  subresources: { status: {}, scale: {} },
  strategy: { generation: {} },
  columns: [nameColumn, readyOfDesired, ageColumn, ...templateColumns()],
  podTemplate: ["spec", "template"],
  types: {
    defaults: `
apps.v1.StatefulSet spec={} status={}
apps.v1.StatefulSetStatus availableReplicas=0 replicas=0
apps.v1.StatefulSetSpec template={} podManagementPolicy="OrderedReady" updateStrategy={} replicas=1 revisionHistoryLimit=10 persistentVolumeClaimRetentionPolicy={}
apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy whenDeleted="Retain" whenScaled="Retain"
apps.v1.RollingUpdateStatefulSetStrategy partition=0
`,
    derived: {
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
        [
          "",
          partsOf("replicas", ["readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"]),
        ],
        ["", partsOf("readyReplicas", ["availableReplicas"])],
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
        ["", selectsTemplate],
        ["template"],
        ["", ownTemplate("StatefulSet", claimNames)],
      ],
      "apps.v1.StatefulSetUpdateStrategy": [
        [
          "",
          (strategy, findings) => {
            const type = scalarStringAt(strategy, "type");
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
    },
    changes: {
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
    mergeKeys: `
apps.v1.StatefulSetStatus conditions=type
`,
    ownership: `
apps.v1.StatefulSetStatus conditions=type
`,
    protobuf: `
apps.v1.RollingUpdateStatefulSetStrategy partition=1* maxUnavailable=2*
apps.v1.StatefulSet metadata=1 spec=2 status=3
apps.v1.StatefulSetCondition type=1* status=2* lastTransitionTime=3 reason=4 message=5
apps.v1.StatefulSetOrdinals start=1*
apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy whenDeleted=1 whenScaled=2
apps.v1.StatefulSetSpec replicas=1* selector=2 template=3 volumeClaimTemplates=4 serviceName=5* podManagementPolicy=6 updateStrategy=7 revisionHistoryLimit=8* minReadySeconds=9 persistentVolumeClaimRetentionPolicy=10 ordinals=11
apps.v1.StatefulSetStatus observedGeneration=1 replicas=2* readyReplicas=3 currentReplicas=4 updatedReplicas=5 currentRevision=6 updateRevision=7 collisionCount=9* conditions=10 availableReplicas=11*
apps.v1.StatefulSetUpdateStrategy type=1 rollingUpdate=2
`,
    enums: `
apps.v1.StatefulSetSpec.podManagementPolicy OrderedReady|Parallel
apps.v1.StatefulSetUpdateStrategy.type OnDelete|RollingUpdate
`,
  },
};

/** Adds `apiVersion`, `kind` and the status phase `Pending` to a claim template, because every stored claim has these fields. */
function claimTemplate(template: unknown): unknown {
  return {
    ...objectAt(template),
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    status: { phase: "Pending", ...objectAt(template, "status") },
  };
}

function claimNames(spec: unknown): readonly string[] {
  return listAt(spec, "volumeClaimTemplates").map((claim) => scalarStringAt(claim, "metadata", "name"));
}
