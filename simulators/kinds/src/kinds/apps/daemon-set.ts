import { type KubeObject, sameJson, scalarStringAt } from "@keelson/apimachinery";
import { valueAt } from "@keelson/base";
import { immutable } from "../../catalogue/changes.ts";
import {
  intOrPercent,
  nonNegative,
  notMoreThanAll,
  oneOf,
  selectsSomething,
} from "../../catalogue/checks.ts";
import { counts } from "../../catalogue/facts/replica-status.ts";
import { ownTemplate, selectsTemplate } from "../../catalogue/facts/workloads.ts";
import { ageColumn, count, nameColumn, text } from "../../columns/column.ts";
import { labelText } from "../../columns/label-text.ts";
import { selector, templateColumns } from "../../columns/workload-columns.ts";
import type { Kind } from "../kind.ts";
import { isZero, rolling } from "./rolling-update.ts";

/**
 * Built-in kind DaemonSet. Source of its rules: kubernetes pkg/apis/apps/v1/defaults.go and
 * pkg/apis/apps/validation/validation.go.
 */
export const daemonSet: Kind = {
  group: "apps",
  versions: ["v1"],
  kind: "DaemonSet",
  plural: "daemonsets",
  shortNames: ["ds"],
  categories: ["all"],
  namespaced: true,
  description: "Runs one pod on every matching node.",
  subresources: { status: {} },
  strategy: { generation: {}, applyDefaults: withTemplateGeneration },
  columns: [
    nameColumn,
    count("Desired", "status.desiredNumberScheduled"),
    count("Current", "status.currentNumberScheduled"),
    count("Ready", "status.numberReady"),
    count("Up-to-date", "status.updatedNumberScheduled"),
    count("Available", "status.numberAvailable"),
    text("Node Selector", (object) => labelText(valueAt(object, "spec", "template", "spec", "nodeSelector"))),
    ageColumn,
    ...templateColumns(),
    selector,
  ],
  podTemplate: ["spec", "template"],
  types: {
    defaults: `
apps.v1.DaemonSet spec={} status={}
apps.v1.DaemonSetStatus currentNumberScheduled=0 desiredNumberScheduled=0 numberMisscheduled=0 numberReady=0
apps.v1.DaemonSetSpec template={} updateStrategy={} revisionHistoryLimit=10
apps.v1.DaemonSetUpdateStrategy type="RollingUpdate"
apps.v1.RollingUpdateDaemonSet maxUnavailable=1 maxSurge=0
`,
    derived: {
      "apps.v1.DaemonSetUpdateStrategy": rolling,
    },
    checks: {
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
      "apps.v1.DaemonSetSpec": [
        ["selector", selectsSomething("daemonset")],
        ["", selectsTemplate],
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
    },
    changes: {
      "apps.v1.DaemonSet": immutable("spec.selector"),
    },
    mergeKeys: `
apps.v1.DaemonSetStatus conditions=type
`,
    ownership: `
apps.v1.DaemonSetStatus conditions=type
`,
    protobuf: `
apps.v1.DaemonSet metadata=1 spec=2 status=3
apps.v1.DaemonSetCondition type=1* status=2* lastTransitionTime=3 reason=4 message=5
apps.v1.DaemonSetSpec selector=1 template=2 updateStrategy=3 minReadySeconds=4 revisionHistoryLimit=6*
apps.v1.DaemonSetStatus currentNumberScheduled=1* numberMisscheduled=2* desiredNumberScheduled=3* numberReady=4* observedGeneration=5 updatedNumberScheduled=6 numberAvailable=7 numberUnavailable=8 collisionCount=9* conditions=10
apps.v1.DaemonSetUpdateStrategy type=1 rollingUpdate=2
apps.v1.RollingUpdateDaemonSet maxUnavailable=1* maxSurge=2*
`,
    enums: `
apps.v1.DaemonSetUpdateStrategy.type OnDelete|RollingUpdate
`,
  },
};

const templateGeneration = "deprecated.daemonset.template.generation";

/** Counts pod template changes in an annotation. Source: kubernetes pkg/apis/apps/v1/conversion.go. */
function withTemplateGeneration(object: KubeObject, current: KubeObject | undefined): KubeObject {
  const before = Number(scalarStringAt(current, "metadata", "annotations", templateGeneration)) || 0;
  const changed = !sameJson(valueAt(object, "spec", "template"), valueAt(current, "spec", "template"));
  const generation = String(Math.max(1, before + (current && changed ? 1 : 0)));
  if (object.metadata.annotations?.[templateGeneration] === generation) return object;
  const annotations = { ...object.metadata.annotations, [templateGeneration]: generation };
  const { apiVersion, kind, metadata } = object;
  return { ...object, apiVersion, kind, metadata: { ...metadata, annotations } };
}
