import { objectAt, valueAt } from "@keelson/base";
import { nonNegative, required } from "../../catalogue/checks.ts";
import { checkMounts } from "../../catalogue/facts/pod-checks.ts";
import { replicaStatus } from "../../catalogue/facts/replica-status.ts";
import type { Findings } from "../../catalogue/findings.ts";
import { text, wide } from "../../columns/column.ts";
import { labelText } from "../../columns/label-text.ts";
import { replicaCounts } from "../../columns/workload-columns.ts";
import type { Kind } from "../kind.ts";

const labelSelector = wide(text("Selector", (object) => labelText(valueAt(object, "spec", "selector"))));

/**
 * Built-in kind ReplicationController. Source of its rules: kubernetes pkg/apis/core/v1/defaults.go and
 * pkg/apis/core/validation/validation.go.
 */
export const replicationController: Kind = {
  group: "",
  versions: ["v1"],
  kind: "ReplicationController",
  plural: "replicationcontrollers",
  shortNames: ["rc"],
  categories: ["all"],
  namespaced: true,
  subresources: { status: {}, scale: {} },
  strategy: { generation: {} },
  columns: [...replicaCounts, labelSelector],
  selectableFields: { fields: { "status.replicas": {} } },
  quota: "named",
  podTemplate: ["spec", "template"],
  types: {
    defaults: `
core.v1.ReplicationController spec={} status={}
core.v1.ReplicationControllerSpec replicas=1
`,
    derived: {
      "core.v1.ReplicationController": (controller) => {
        const labelsOfTemplate = valueAt(controller, "spec", "template", "metadata", "labels");
        if (labelsOfTemplate === undefined || valueAt(controller, "spec", "selector") !== undefined)
          return controller;
        return { ...controller, spec: { ...objectAt(controller, "spec"), selector: labelsOfTemplate } };
      },
    },
    checks: {
      "core.v1.ReplicationControllerStatus": replicaStatus,
      "core.v1.ReplicationControllerSpec": [
        ["minReadySeconds", nonNegative],
        ["selector", required],
        ["replicas", nonNegative],
        ["template", required],
        ["", selectsTemplate],
      ],
    },
    mergeKeys: `
core.v1.ReplicationControllerStatus conditions=type
`,
    ownership: `
core.v1.ReplicationControllerStatus conditions=type
core.v1.ReplicationControllerSpec selector=!
`,
    protobuf: `
core.v1.ReplicationController metadata=1 spec=2 status=3
core.v1.ReplicationControllerCondition type=1* status=2* lastTransitionTime=3 reason=4 message=5
core.v1.ReplicationControllerSpec replicas=1* minReadySeconds=4 selector=2 template=3
core.v1.ReplicationControllerStatus replicas=1* fullyLabeledReplicas=2 readyReplicas=4 availableReplicas=5 observedGeneration=3 conditions=6
`,
  },
};

function selectsTemplate(spec: unknown, findings: Findings): void {
  const selector = objectAt(spec, "selector");
  const own = objectAt(spec, "template", "metadata", "labels");
  if (Object.entries(selector).some(([key, value]) => own[key] !== value))
    findings.invalid(own, "`selector` does not match template `labels`", "template", "metadata", "labels");
  checkMounts(valueAt(spec, "template", "spec"), findings, [], "template", "spec");
}
