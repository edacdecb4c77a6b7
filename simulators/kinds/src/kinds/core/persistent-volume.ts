import { type KubeObject, sameJson, scalarStringAt } from "@keelson/apimachinery";
import { objectAt, valueAt } from "@keelson/base";
import { immutable } from "../../catalogue/changes.ts";
import { dnsSubdomain, oneOf, required, resources } from "../../catalogue/checks.ts";
import { ageColumn, nameColumn, text, textOf } from "../../columns/column.ts";
import type { Kind } from "../kind.ts";
import type { StrategyContext } from "../strategy.ts";
import { eachAccessMode, volumeModes } from "./volume-checks.ts";
import { modes, phase, volumeMode } from "./volume-columns.ts";

const volumeSources: ReadonlySet<string> = new Set(
  `awsElasticBlockStore azureDisk azureFile cephfs cinder csi fc flexVolume flocker gcePersistentDisk glusterfs hostPath
  iscsi local nfs photonPersistentDisk portworxVolume quobyte rbd scaleIO storageos vsphereVolume`.split(
    /\s+/,
  ),
);

/**
 * Built-in kind PersistentVolume. Source of its rules: kubernetes pkg/apis/core/v1/defaults.go and
 * pkg/apis/core/validation/validation.go.
 */
export const persistentVolume: Kind = {
  group: "",
  versions: ["v1"],
  kind: "PersistentVolume",
  plural: "persistentvolumes",
  shortNames: ["pv"],
  namespaced: false,
  subresources: { status: {} },
  strategy: { returnsDeleted: true, applyDefaults: withTransitionTime },
  columns: [
    nameColumn,
    textOf("Capacity", "spec.capacity.storage"),
    text("Access Modes", (volume) => modes(valueAt(volume, "spec", "accessModes"))),
    textOf("Reclaim Policy", "spec.persistentVolumeReclaimPolicy"),
    text("Status", phase),
    text("Claim", (volume) => {
      const claim = valueAt(volume, "spec", "claimRef");
      return claim === undefined
        ? ""
        : `${scalarStringAt(claim, "namespace")}/${scalarStringAt(claim, "name")}`;
    }),
    textOf("StorageClass", "spec.storageClassName"),
    textOf("VolumeAttributesClass", "spec.volumeAttributesClassName", "<unset>"),
    textOf("Reason", "status.reason"),
    ageColumn,
    volumeMode,
  ],
  types: {
    defaults: `
core.v1.PersistentVolume spec={} status={}
core.v1.PersistentVolumeStatus phase="Pending"
core.v1.PersistentVolumeSpec persistentVolumeReclaimPolicy="Retain" volumeMode="Filesystem"
`,
    checks: {
      "core.v1.PersistentVolumeSpec": [
        ["accessModes", required, eachAccessMode],
        [
          "capacity",
          (value, findings) => {
            const capacity = objectAt(value);
            if (Object.keys(capacity).length === 0) findings.required();
            else if (capacity.storage === undefined || Object.keys(capacity).length > 1)
              findings.notSupported(value, ["storage"]);
          },
          resources,
        ],
        [
          "",
          (spec, findings) => {
            const [first, ...others] = Object.keys(objectAt(spec)).filter((member) =>
              volumeSources.has(member),
            );
            if (first === undefined) findings.required("must specify a volume type");
            for (const other of others) findings.forbidden("may not specify more than 1 volume type", other);
          },
        ],
        ["persistentVolumeReclaimPolicy", oneOf("Delete", "Recycle", "Retain")],
        ["volumeMode", volumeModes],
        ["storageClassName", dnsSubdomain],
      ],
      "core.v1.CSIPersistentVolumeSource": [
        ["driver", required],
        ["volumeHandle", required],
      ],
      "core.v1.LocalVolumeSource": [["path", required]],
    },
    changes: {
      "core.v1.PersistentVolume": (volume, current, findings) => {
        for (const source of volumeSources) {
          if (sameJson(valueAt(volume, "spec", source), valueAt(current, "spec", source))) continue;
          findings.forbidden(
            "spec.persistentvolumesource is immutable after creation",
            "spec",
            "persistentvolumesource",
          );
          break;
        }
        immutable("spec.volumeMode")(volume, current, findings);
      },
    },
    ownership: `
core.v1.PersistentVolumeSpec claimRef=.
`,
    protobuf: `
core.v1.AzureFilePersistentVolumeSource secretName=1* shareName=2* readOnly=3 secretNamespace=4*
core.v1.CSIPersistentVolumeSource driver=1* volumeHandle=2* readOnly=3 fsType=4 volumeAttributes=5 controllerPublishSecretRef=6 nodeStageSecretRef=7 nodePublishSecretRef=8 controllerExpandSecretRef=9 nodeExpandSecretRef=10
core.v1.CephFSPersistentVolumeSource monitors=1 path=2 user=3 secretFile=4 secretRef=5 readOnly=6
core.v1.CinderPersistentVolumeSource volumeID=1* fsType=2 readOnly=3 secretRef=4
core.v1.FlexPersistentVolumeSource driver=1* fsType=2 secretRef=3 readOnly=4 options=5
core.v1.GlusterfsPersistentVolumeSource endpoints=1* path=2* readOnly=3 endpointsNamespace=4*
core.v1.ISCSIPersistentVolumeSource targetPortal=1* iqn=2* lun=3* iscsiInterface=4 fsType=5 readOnly=6 portals=7 chapAuthDiscovery=8 chapAuthSession=11 secretRef=10 initiatorName=12*
core.v1.LocalVolumeSource path=1* fsType=2*
core.v1.PersistentVolume metadata=1 spec=2 status=3
core.v1.PersistentVolumeSpec capacity=1 +PersistentVolumeSource=2 accessModes=3 claimRef=4 persistentVolumeReclaimPolicy=5 storageClassName=6 mountOptions=7 volumeMode=8* nodeAffinity=9 volumeAttributesClassName=10*
core.v1.PersistentVolumeStatus phase=1 message=2 reason=3 lastPhaseTransitionTime=4
core.v1.RBDPersistentVolumeSource monitors=1 image=2* fsType=3 pool=4 user=5 keyring=6 secretRef=7 readOnly=8
core.v1.ScaleIOPersistentVolumeSource gateway=1* system=2* secretRef=3 sslEnabled=4 protectionDomain=5 storagePool=6 storageMode=7 volumeName=8 fsType=9 readOnly=10
core.v1.StorageOSPersistentVolumeSource volumeName=1 volumeNamespace=2 fsType=3 readOnly=4 secretRef=5
`,
    enums: `
core.v1.PersistentVolumeSpec.accessModes ReadOnlyMany|ReadWriteMany|ReadWriteOnce|ReadWriteOncePod
core.v1.PersistentVolumeSpec.persistentVolumeReclaimPolicy Delete|Recycle|Retain
core.v1.PersistentVolumeSpec.volumeMode Block|Filesystem
core.v1.PersistentVolumeStatus.phase Available|Bound|Failed|Pending|Released
`,
  },
};

/** Records the time of the last phase change. Source: kubernetes pkg/registry/core/persistentvolume/strategy.go. */
function withTransitionTime(
  object: KubeObject,
  current: KubeObject | undefined,
  { now }: StrategyContext,
): KubeObject {
  const status = objectAt(object, "status");
  const phase = status.phase ?? "Pending";
  const before = objectAt(current, "status");
  const written = status.lastPhaseTransitionTime;
  const isOwn = written !== undefined && written !== before.lastPhaseTransitionTime;
  if (isOwn || (current && phase === before.phase)) return object;
  return { ...object, status: { ...status, phase, lastPhaseTransitionTime: now } };
}
