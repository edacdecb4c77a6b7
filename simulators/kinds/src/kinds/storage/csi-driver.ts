import { scalarStringAt } from "@keelson/apimachinery";
import { listAt } from "@keelson/base";
import { immutable } from "../../catalogue/changes.ts";
import { eachOneOf, oneOf } from "../../catalogue/checks.ts";
import { ageColumn, flag, nameColumn, text } from "../../columns/column.ts";
import type { Kind } from "../kind.ts";

/**
 * Built-in kind CSIDriver. Source of its rules: kubernetes pkg/apis/storage/v1/defaults.go and
 * pkg/apis/storage/validation/validation.go.
 */
export const csiDriver: Kind = {
  group: "storage.k8s.io",
  versions: ["v1"],
  kind: "CSIDriver",
  plural: "csidrivers",
  namespaced: false,
  strategy: { generation: { startsAbsent: true }, requiresResourceVersion: true, returnsDeleted: true },
  columns: [
    nameColumn,
    flag("AttachRequired", "spec.attachRequired", true),
    flag("PodInfoOnMount", "spec.podInfoOnMount"),
    flag("StorageCapacity", "spec.storageCapacity"),
    text("TokenRequests", (driver) => {
      const audiences = listAt(driver, "spec", "tokenRequests").map((request) =>
        scalarStringAt(request, "audience"),
      );
      return audiences.length === 0 ? "<unset>" : audiences.join(",");
    }),
    flag("RequiresRepublish", "spec.requiresRepublish"),
    text(
      "Modes",
      (driver) => listAt(driver, "spec", "volumeLifecycleModes").map(String).join(",") || "<none>",
    ),
    ageColumn,
  ],
  types: {
    defaults: `
storage.v1.CSIDriverSpec attachRequired=true podInfoOnMount=false storageCapacity=false fsGroupPolicy="ReadWriteOnceWithFSType" requiresRepublish=false
`,
    derived: {
      "storage.v1.CSIDriverSpec": (spec) =>
        listAt(spec, "volumeLifecycleModes").length > 0
          ? spec
          : { ...spec, volumeLifecycleModes: ["Persistent"] },
    },
    checks: {
      "storage.v1.CSIDriverSpec": [
        ["fsGroupPolicy", oneOf("File", "None", "ReadWriteOnceWithFSType")],
        ["volumeLifecycleModes", eachOneOf("Ephemeral", "Persistent")],
      ],
    },
    changes: {
      "storage.v1.CSIDriver": immutable(
        "spec.attachRequired",
        "spec.fsGroupPolicy",
        "spec.volumeLifecycleModes",
      ),
    },
    ownership: `
storage.v1.CSIDriverSpec volumeLifecycleModes=
`,
    protobuf: `
storage.v1.CSIDriver metadata=1 spec=2
storage.v1.CSIDriverSpec attachRequired=1* podInfoOnMount=2* volumeLifecycleModes=3 storageCapacity=4* fsGroupPolicy=5* tokenRequests=6 requiresRepublish=7* seLinuxMount=8* nodeAllocatableUpdatePeriodSeconds=9* serviceAccountTokenInSecrets=10* preventPodSchedulingIfMissing=11*
storage.v1.TokenRequest audience=1* expirationSeconds=2*
`,
  },
};
