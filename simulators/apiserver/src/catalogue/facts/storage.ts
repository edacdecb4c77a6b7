import { arrayAt } from "../../json/access.ts";
import { immutable } from "../changes.ts";
import { dnsSubdomain, eachOneOf, oneOf, qualifiedName, required, unique } from "../checks.ts";
import type { GroupFacts } from "./group-facts.ts";

/** Facts: kubernetes pkg/apis/storage/v1/defaults.go and pkg/apis/storage/validation/validation.go. */
export const storageFacts: GroupFacts = {
  defaults: `
storage.v1.StorageClass reclaimPolicy="Delete" volumeBindingMode="Immediate"
storage.v1.CSIDriverSpec attachRequired=true podInfoOnMount=false storageCapacity=false fsGroupPolicy="ReadWriteOnceWithFSType" requiresRepublish=false
storage.v1.VolumeAttachment status={}
storage.v1.VolumeAttachmentStatus attached=false
`,
  derived: {
    "storage.v1.CSIDriverSpec": (spec) =>
      arrayAt(spec, "volumeLifecycleModes").length > 0
        ? spec
        : { ...spec, volumeLifecycleModes: ["Persistent"] },
  },
  checks: {
    "storage.v1.StorageClass": [
      ["provisioner", required, qualifiedName],
      ["reclaimPolicy", oneOf("Delete", "Retain")],
      ["volumeBindingMode", required, oneOf("Immediate", "WaitForFirstConsumer")],
    ],
    "storage.v1.CSIDriverSpec": [
      ["fsGroupPolicy", oneOf("File", "None", "ReadWriteOnceWithFSType")],
      ["volumeLifecycleModes", eachOneOf("Ephemeral", "Persistent")],
    ],
    "storage.v1.CSINodeSpec": [["drivers", unique("name")]],
    "storage.v1.CSINodeDriver": [
      ["name", required, dnsSubdomain],
      ["nodeID", required],
    ],
    "storage.v1.CSIStorageCapacity": [["storageClassName", required, dnsSubdomain]],
    "storage.v1.VolumeAttachmentSpec": [
      ["attacher", required],
      ["nodeName", required],
    ],
  },
  changes: {
    "storage.v1.StorageClass": immutable("parameters", "provisioner", "reclaimPolicy", "volumeBindingMode"),
    "storage.v1.CSIDriver": immutable(
      "spec.attachRequired",
      "spec.fsGroupPolicy",
      "spec.volumeLifecycleModes",
    ),
    "storage.v1.CSIStorageCapacity": immutable("nodeTopology", "storageClassName"),
    "storage.v1.VolumeAttachment": immutable("spec"),
  },
};
