import { ageColumn, type Column, declared, nameColumn, size, text, textOf, wide } from "./column.ts";
import { at, listAt, textAt } from "./read.ts";

const accessModes: Readonly<Record<string, string>> = {
  ReadWriteOnce: "RWO",
  ReadOnlyMany: "ROX",
  ReadWriteMany: "RWX",
  ReadWriteOncePod: "RWOP",
};

const volumeMode = wide(textOf("VolumeMode", "spec.volumeMode", "<unset>"));

export const persistentVolumeColumns: readonly Column[] = [
  nameColumn,
  textOf("Capacity", "spec.capacity.storage"),
  text("Access Modes", (volume) => modes(at(volume, "spec", "accessModes"))),
  textOf("Reclaim Policy", "spec.persistentVolumeReclaimPolicy"),
  text("Status", phase),
  text("Claim", (volume) => {
    const claim = at(volume, "spec", "claimRef");
    return claim === undefined ? "" : `${textAt(claim, "namespace")}/${textAt(claim, "name")}`;
  }),
  textOf("StorageClass", "spec.storageClassName"),
  textOf("VolumeAttributesClass", "spec.volumeAttributesClassName", "<unset>"),
  textOf("Reason", "status.reason"),
  ageColumn,
  volumeMode,
];

export const persistentVolumeClaimColumns: readonly Column[] = [
  nameColumn,
  text("Status", phase),
  textOf("Volume", "spec.volumeName"),
  text("Capacity", (claim) =>
    textAt(claim, "spec", "volumeName") ? textAt(claim, "status", "capacity", "storage") : "",
  ),
  text("Access Modes", (claim) =>
    textAt(claim, "spec", "volumeName") ? modes(at(claim, "status", "accessModes")) : "",
  ),
  textOf("StorageClass", "spec.storageClassName"),
  textOf("VolumeAttributesClass", "spec.volumeAttributesClassName", "<unset>"),
  ageColumn,
  volumeMode,
];

export const storageClassColumns: readonly Column[] = [
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
];

export const volumeAttachmentColumns: readonly Column[] = [
  nameColumn,
  { ...textOf("Attacher", "spec.attacher"), format: "name" },
  textOf("PV", "spec.source.persistentVolumeName"),
  textOf("Node", "spec.nodeName"),
  flag("Attached", "status.attached"),
  ageColumn,
];

export const csiNodeColumns: readonly Column[] = [nameColumn, size("Drivers", "spec.drivers"), ageColumn];

export const csiDriverColumns: readonly Column[] = [
  nameColumn,
  flag("AttachRequired", "spec.attachRequired", true),
  flag("PodInfoOnMount", "spec.podInfoOnMount"),
  flag("StorageCapacity", "spec.storageCapacity"),
  text("TokenRequests", (driver) => {
    const audiences = listAt(driver, "spec", "tokenRequests").map((request) => textAt(request, "audience"));
    return audiences.length === 0 ? "<unset>" : audiences.join(",");
  }),
  flag("RequiresRepublish", "spec.requiresRepublish"),
  text("Modes", (driver) => listAt(driver, "spec", "volumeLifecycleModes").map(String).join(",") || "<none>"),
  ageColumn,
];

function phase(object: unknown): string {
  const deleting = at(object, "metadata", "deletionTimestamp") !== undefined;
  return deleting ? "Terminating" : textAt(object, "status", "phase");
}

function modes(value: unknown): string {
  const list = Array.isArray(value) ? value.map(String) : [];
  return [...new Set(list)].map((mode) => accessModes[mode] ?? mode).join(",");
}

function flag(name: string, path: string, otherwise = false): Column {
  const members = path.split(".");
  return {
    name,
    type: "boolean",
    priority: 0,
    cell: (object) => {
      const value = at(object, ...members);
      return typeof value === "boolean" ? value : otherwise;
    },
  };
}
