import { dnsSubdomain, required, unique } from "../../catalogue/checks.ts";
import { ageColumn, nameColumn, size } from "../../columns/column.ts";
import type { Kind } from "../kind.ts";

/**
 * Built-in kind CSINode. Source of its rules: kubernetes pkg/apis/storage/v1/defaults.go and
 * pkg/apis/storage/validation/validation.go.
 */
export const csiNode: Kind = {
  group: "storage.k8s.io",
  versions: ["v1"],
  kind: "CSINode",
  plural: "csinodes",
  namespaced: false,
  strategy: { requiresResourceVersion: true, returnsDeleted: true },
  columns: [nameColumn, size("Drivers", "spec.drivers"), ageColumn],
  types: {
    checks: {
      "storage.v1.CSINodeSpec": [["drivers", unique("name")]],
      "storage.v1.CSINodeDriver": [
        ["name", required, dnsSubdomain],
        ["nodeID", required],
      ],
    },
    mergeKeys: `
storage.v1.CSINodeSpec drivers=name
`,
    ownership: `
storage.v1.CSINodeSpec drivers=name
`,
    protobuf: `
storage.v1.CSINode metadata=1 spec=2
storage.v1.CSINodeDriver name=1* nodeID=2* topologyKeys=3 allocatable=4
storage.v1.CSINodeSpec drivers=1
storage.v1.VolumeNodeResources count=1*
`,
  },
};
