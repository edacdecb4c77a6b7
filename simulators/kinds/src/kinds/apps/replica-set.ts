import { immutable } from "../../catalogue/changes.ts";
import { nonNegative, notEmptySelector } from "../../catalogue/checks.ts";
import { replicaStatus } from "../../catalogue/facts/replica-status.ts";
import { ownTemplate, selectsTemplate } from "../../catalogue/facts/workloads.ts";
import { replicaCounts, selector } from "../../columns/workload-columns.ts";
import type { Kind } from "../kind.ts";

/**
 * Built-in kind ReplicaSet. Source of its rules: kubernetes pkg/apis/apps/v1/defaults.go and
 * pkg/apis/apps/validation/validation.go.
 */
export const replicaSet: Kind = {
  group: "apps",
  versions: ["v1"],
  kind: "ReplicaSet",
  plural: "replicasets",
  shortNames: ["rs"],
  categories: ["all"],
  namespaced: true,
  description: "Maintains a number of identical pods.",
  subresources: { status: {}, scale: {} },
  strategy: { generation: {} },
  columns: [...replicaCounts, selector],
  podTemplate: ["spec", "template"],
  types: {
    defaults: `
apps.v1.ReplicaSet spec={} status={}
apps.v1.ReplicaSetStatus replicas=0
apps.v1.ReplicaSetSpec replicas=1 template={}
`,
    checks: {
      "apps.v1.ReplicaSetStatus": replicaStatus,
      "apps.v1.ReplicaSetSpec": [
        ["replicas", nonNegative],
        ["minReadySeconds", nonNegative],
        ["selector", notEmptySelector("deployment")],
        ["", selectsTemplate],
        ["template"],
        ["", ownTemplate("ReplicaSet")],
      ],
    },
    changes: {
      "apps.v1.ReplicaSet": immutable("spec.selector"),
    },
    mergeKeys: `
apps.v1.ReplicaSetStatus conditions=type
`,
    ownership: `
apps.v1.ReplicaSetStatus conditions=type
`,
    protobuf: `
apps.v1.ReplicaSet metadata=1 spec=2 status=3
apps.v1.ReplicaSetCondition type=1* status=2* lastTransitionTime=3 reason=4 message=5
apps.v1.ReplicaSetSpec replicas=1* minReadySeconds=4 selector=2 template=3
apps.v1.ReplicaSetStatus replicas=1* fullyLabeledReplicas=2 readyReplicas=4 availableReplicas=5 terminatingReplicas=7* observedGeneration=3 conditions=6
`,
  },
};
