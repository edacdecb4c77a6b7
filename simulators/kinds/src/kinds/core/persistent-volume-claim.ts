import { type KubeObject, quantityOf, scalarStringAt } from "@keelson/apimachinery";
import { objectAt, valueAt } from "@keelson/base";
import { unchangedBut } from "../../catalogue/changes.ts";
import { dnsSubdomain } from "../../catalogue/checks.ts";
import type { Findings } from "../../catalogue/findings.ts";
import { isExtendedResource } from "../../catalogue/resource-names.ts";
import type { Fields } from "../../catalogue/type-facts.ts";
import { ageColumn, nameColumn, text, textOf } from "../../columns/column.ts";
import { claimEvaluator } from "../../quota/claim-evaluator.ts";
import type { Kind } from "../kind.ts";
import { eachAccessMode, volumeModes } from "./volume-checks.ts";
import { modes, phase, volumeMode } from "./volume-columns.ts";

const resizes = [
  "ControllerResizeInProgress",
  "ControllerResizeInfeasible",
  "NodeResizeInProgress",
  "NodeResizeInfeasible",
  "NodeResizePending",
];

/**
 * Built-in kind PersistentVolumeClaim. Source of its rules: kubernetes pkg/apis/core/v1/defaults.go and
 * pkg/apis/core/validation/validation.go.
 */
export const persistentVolumeClaim: Kind = {
  group: "",
  versions: ["v1"],
  kind: "PersistentVolumeClaim",
  plural: "persistentvolumeclaims",
  shortNames: ["pvc"],
  namespaced: true,
  subresources: { status: {} },
  strategy: { applyDefaults: pendingAtFirst, returnsDeleted: true },
  columns: [
    nameColumn,
    text("Status", phase),
    textOf("Volume", "spec.volumeName"),
    text("Capacity", (claim) =>
      scalarStringAt(claim, "spec", "volumeName")
        ? scalarStringAt(claim, "status", "capacity", "storage")
        : "",
    ),
    text("Access Modes", (claim) =>
      scalarStringAt(claim, "spec", "volumeName") ? modes(valueAt(claim, "status", "accessModes")) : "",
    ),
    textOf("StorageClass", "spec.storageClassName"),
    textOf("VolumeAttributesClass", "spec.volumeAttributesClassName", "<unset>"),
    ageColumn,
    volumeMode,
  ],
  quota: claimEvaluator,
  types: {
    defaults: `
core.v1.PersistentVolumeClaim spec={} status={}
core.v1.PersistentVolumeClaimStatus phase="Pending"
core.v1.PersistentVolumeClaimSpec volumeMode="Filesystem" resources={}
`,
    checks: {
      "core.v1.PersistentVolumeClaimSpec": [
        ["accessModes", claimAccessModes],
        ["selector"],
        ["resources", storageRequest],
        ["storageClassName", dnsSubdomain],
        ["volumeMode", volumeModes],
      ],
      "core.v1.PersistentVolumeClaimStatus": [
        ["capacity", claimResources],
        ["allocatedResources", sizedResources, claimResources],
        ["allocatedResourceStatuses", sizedResources, resizeStatuses],
      ],
    },
    changes: {
      "core.v1.PersistentVolumeClaim": claimChange,
    },
    mergeKeys: `
core.v1.PersistentVolumeClaimStatus conditions=type
`,
    ownership: `
core.v1.PersistentVolumeClaimStatus conditions=type
`,
    protobuf: `
core.v1.ModifyVolumeStatus targetVolumeAttributesClassName=1 status=2*
core.v1.PersistentVolumeClaim metadata=1 spec=2 status=3
core.v1.PersistentVolumeClaimCondition type=1* status=2* lastProbeTime=3 lastTransitionTime=4 reason=5 message=6
core.v1.PersistentVolumeClaimSpec accessModes=1 selector=4 resources=2 volumeName=3 storageClassName=5* volumeMode=6* dataSource=7 dataSourceRef=8 volumeAttributesClassName=9*
core.v1.PersistentVolumeClaimStatus phase=1 accessModes=2 capacity=3 conditions=4 allocatedResources=5 allocatedResourceStatuses=7 currentVolumeAttributesClassName=8* modifyVolumeStatus=9
`,
    enums: `
core.v1.ModifyVolumeStatus.status InProgress|Infeasible|Pending
core.v1.PersistentVolumeClaimSpec.accessModes ReadOnlyMany|ReadWriteMany|ReadWriteOnce|ReadWriteOncePod
core.v1.PersistentVolumeClaimSpec.volumeMode Block|Filesystem
core.v1.PersistentVolumeClaimStatus.accessModes ReadOnlyMany|ReadWriteMany|ReadWriteOnce|ReadWriteOncePod
core.v1.PersistentVolumeClaimStatus.allocatedResourceStatuses ControllerResizeInProgress|ControllerResizeInfeasible|NodeResizeInProgress|NodeResizeInfeasible|NodeResizePending
core.v1.PersistentVolumeClaimStatus.phase Bound|Lost|Pending
`,
  },
};

function pendingAtFirst(object: KubeObject, current: KubeObject | undefined): KubeObject {
  return current || valueAt(object, "status", "phase") ? object : { ...object, status: { phase: "Pending" } };
}

function claimAccessModes(value: unknown, findings: Findings): void {
  if (!Array.isArray(value) || value.length === 0) findings.required("at least 1 access mode is required");
  else eachAccessMode(value, findings);
}

function storageRequest(value: unknown, findings: Findings): void {
  const amount = valueAt(value, "requests", "storage");
  if (amount === undefined) findings.required("", "[storage]");
  else if (!(quantityOf(String(amount)) > 0))
    findings.invalid(amount, "must be greater than zero", "[storage]");
}

function claimResources(value: unknown, findings: Findings): void {
  for (const [name, amount] of Object.entries(objectAt(value))) {
    const quantity = quantityOf(String(amount));
    if (quantity < 0) findings.invalid(Math.ceil(quantity), "must be a valid resource quantity", `[${name}]`);
  }
}

/** Permits only `storage` and extended resources. */
function sizedResources(value: unknown, findings: Findings): void {
  for (const name of Object.keys(objectAt(value)))
    if (name !== "storage" && !isExtendedResource(name)) findings.notSupported(name, ["storage"]);
}

function resizeStatuses(value: unknown, findings: Findings): void {
  for (const [name, state] of Object.entries(objectAt(value)))
    if (!resizes.includes(String(state))) findings.notSupported(name, resizes);
}

function claimChange(claim: Fields, current: Fields, findings: Findings): void {
  const before = objectAt(current, "spec");
  const bound = scalarStringAt(current, "status", "phase") === "Bound";
  const free = [
    ...(before.volumeName ? [] : ["volumeName"]),
    ...(before.storageClassName === undefined ? ["storageClassName"] : []),
    ...(bound ? ["resources", "volumeAttributesClassName"] : []),
  ];
  unchangedBut(
    free,
    "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims",
  )(claim, current, findings);
  const [size, oldSize] = [claim, current].map((each) =>
    quantityOf(scalarStringAt(each, "spec", "resources", "requests", "storage")),
  );
  if (bound && size !== undefined && oldSize !== undefined && size < oldSize)
    findings.forbidden(
      "field can not be less than status.capacity",
      "spec",
      "resources",
      "requests",
      "storage",
    );
}
