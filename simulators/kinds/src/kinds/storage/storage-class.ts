import { immutable } from "../../catalogue/changes.ts";
import { oneOf, qualifiedName, required } from "../../catalogue/checks.ts";
import { ageColumn, declared, flag, nameColumn, textOf } from "../../columns/column.ts";
import type { Kind } from "../kind.ts";

/**
 * Built-in kind StorageClass. Source of its rules: kubernetes pkg/apis/storage/v1/defaults.go and
 * pkg/apis/storage/validation/validation.go.
 */
export const storageClass: Kind = {
  group: "storage.k8s.io",
  versions: ["v1"],
  kind: "StorageClass",
  plural: "storageclasses",
  shortNames: ["sc"],
  namespaced: false,
  strategy: { returnsDeleted: true },
  columns: [
    {
      ...nameColumn,
      cell: ({ metadata }) => {
        const isDefault = metadata.annotations?.["storageclass.kubernetes.io/is-default-class"] === "true";
        return isDefault ? `${metadata.name} (default)` : metadata.name;
      },
    },
    textOf("Provisioner", "provisioner"),
    textOf("ReclaimPolicy", "reclaimPolicy", "Delete"),
    textOf("VolumeBindingMode", "volumeBindingMode", "Immediate"),
    declared("string", flag("AllowVolumeExpansion", "allowVolumeExpansion")),
    ageColumn,
  ],
  types: {
    defaults: `
storage.v1.StorageClass reclaimPolicy="Delete" volumeBindingMode="Immediate"
`,
    checks: {
      "storage.v1.StorageClass": [
        ["provisioner", required, qualifiedName],
        ["reclaimPolicy", oneOf("Delete", "Retain")],
        ["volumeBindingMode", required, oneOf("Immediate", "WaitForFirstConsumer")],
      ],
    },
    changes: {
      "storage.v1.StorageClass": immutable("parameters", "provisioner", "reclaimPolicy", "volumeBindingMode"),
    },
    ownership: `
core.v1.TopologySelectorTerm =!
`,
    protobuf: `
core.v1.TopologySelectorLabelRequirement key=1* values=2
core.v1.TopologySelectorTerm matchLabelExpressions=1
storage.v1.StorageClass metadata=1 provisioner=2* parameters=3 reclaimPolicy=4* mountOptions=5 allowVolumeExpansion=6* volumeBindingMode=7* allowedTopologies=8
`,
    enums: `
storage.v1.StorageClass.reclaimPolicy Delete|Recycle|Retain
storage.v1.StorageClass.volumeBindingMode Immediate|WaitForFirstConsumer
`,
  },
};
