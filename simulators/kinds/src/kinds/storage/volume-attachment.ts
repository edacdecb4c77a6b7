import { immutable } from "../../catalogue/changes.ts";
import { required } from "../../catalogue/checks.ts";
import { ageColumn, flag, nameColumn, textOf } from "../../columns/column.ts";
import type { Kind } from "../kind.ts";

/**
 * Built-in kind VolumeAttachment. Source of its rules: kubernetes pkg/apis/storage/v1/defaults.go and
 * pkg/apis/storage/validation/validation.go.
 */
export const volumeAttachment: Kind = {
  group: "storage.k8s.io",
  versions: ["v1"],
  kind: "VolumeAttachment",
  plural: "volumeattachments",
  namespaced: false,
  subresources: { status: {} },
  strategy: { requiresResourceVersion: true, returnsDeleted: true },
  columns: [
    nameColumn,
    { ...textOf("Attacher", "spec.attacher"), format: "name" },
    textOf("PV", "spec.source.persistentVolumeName"),
    textOf("Node", "spec.nodeName"),
    flag("Attached", "status.attached"),
    ageColumn,
  ],
  types: {
    defaults: `
storage.v1.VolumeAttachment status={}
storage.v1.VolumeAttachmentStatus attached=false
`,
    checks: {
      "storage.v1.VolumeAttachmentSpec": [
        ["attacher", required],
        ["nodeName", required],
      ],
    },
    changes: {
      "storage.v1.VolumeAttachment": immutable("spec"),
    },
    protobuf: `
storage.v1.VolumeAttachment metadata=1 spec=2 status=3
storage.v1.VolumeAttachmentSource persistentVolumeName=1* inlineVolumeSpec=2
storage.v1.VolumeAttachmentSpec attacher=1* source=2 nodeName=3*
storage.v1.VolumeAttachmentStatus attached=1* attachmentMetadata=2 attachError=3 detachError=4
storage.v1.VolumeError time=1 message=2 errorCode=3*
`,
  },
};
