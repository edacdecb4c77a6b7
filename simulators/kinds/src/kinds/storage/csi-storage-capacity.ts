import { immutable } from "../../catalogue/changes.ts";
import { dnsSubdomain, required } from "../../catalogue/checks.ts";
import type { Kind } from "../kind.ts";

/**
 * Built-in kind CSIStorageCapacity. Source of its rules: kubernetes pkg/apis/storage/v1/defaults.go and
 * pkg/apis/storage/validation/validation.go.
 */
export const csiStorageCapacity: Kind = {
  group: "storage.k8s.io",
  versions: ["v1"],
  kind: "CSIStorageCapacity",
  plural: "csistoragecapacities",
  namespaced: true,
  strategy: { requiresResourceVersion: true },
  types: {
    checks: {
      "storage.v1.CSIStorageCapacity": [["storageClassName", required, dnsSubdomain]],
    },
    changes: {
      "storage.v1.CSIStorageCapacity": immutable("nodeTopology", "storageClassName"),
    },
    protobuf: `
storage.v1.CSIStorageCapacity metadata=1 nodeTopology=2 storageClassName=3* capacity=4 maximumVolumeSize=5
`,
  },
};
