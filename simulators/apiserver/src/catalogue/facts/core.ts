import { arrayAt, recordAt, textAt, valueAt } from "../../json/access.ts";
import { sameJson } from "../../json/same-json.ts";
import { immutable, unchangedBut } from "../changes.ts";
import {
  cidr,
  dnsSubdomain,
  each,
  nonNegative,
  oneOf,
  qualifiedName,
  required,
  resources,
} from "../checks.ts";
import type { Findings } from "../findings.ts";
import { configMapKey, qualifiedName as qualifiedNameForm } from "../names.ts";
import { withPodLevelDefaults } from "../pod-resources.ts";
import { quantityOf } from "../quantity.ts";
import type { Fields, GroupFacts } from "./group-facts.ts";
import { checkMounts } from "./pod-spec.ts";
import { replicaStatus } from "./replica-status.ts";

const accessModes = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];
const volumeModes = oneOf("Block", "Filesystem");
const maxContentBytes = 1_048_576;

/** The core group. Facts: kubernetes pkg/apis/core/v1/defaults.go and pkg/apis/core/validation/validation.go. */
export const coreFacts: GroupFacts = {
  defaults: `
core.v1.Pod spec={} status={}
core.v1.ReplicationController spec={} status={}
core.v1.ReplicationControllerSpec replicas=1
core.v1.PodTemplateSpec metadata={} spec={}
core.v1.PodTemplate template={}
core.v1.PersistentVolume spec={} status={}
core.v1.PersistentVolumeStatus phase="Pending"
core.v1.PersistentVolumeClaim spec={} status={}
core.v1.PersistentVolumeClaimStatus phase="Pending"
core.v1.Secret type="Opaque"
core.v1.PersistentVolumeSpec persistentVolumeReclaimPolicy="Retain" volumeMode="Filesystem"
core.v1.PersistentVolumeClaimSpec volumeMode="Filesystem" resources={}
core.v1.Node spec={} status={}
`,
  derived: {
    "core.v1.Pod": withPodDefaults,
    "core.v1.ReplicationController": (controller) => {
      const labelsOfTemplate = valueAt(controller, "spec", "template", "metadata", "labels");
      if (labelsOfTemplate === undefined || valueAt(controller, "spec", "selector") !== undefined)
        return controller;
      return { ...controller, spec: { ...recordAt(controller, "spec"), selector: labelsOfTemplate } };
    },
    "core.v1.NodeStatus": (status) =>
      status.capacity && !status.allocatable ? { ...status, allocatable: status.capacity } : status,
  },
  checks: {
    "core.v1.ReplicationControllerStatus": replicaStatus,
    "core.v1.Pod": [
      ["", mirrorOnNode],
      ["spec"],
      ["", (pod, findings) => checkMounts(valueAt(pod, "spec"), findings, [], "spec")],
    ],
    "core.v1.PodTemplate": [
      ["template"],
      [
        "",
        (template, findings) =>
          checkMounts(valueAt(template, "template", "spec"), findings, [], "template", "spec"),
      ],
    ],
    "core.v1.ReplicationControllerSpec": [
      ["minReadySeconds", nonNegative],
      ["selector", required],
      ["replicas", nonNegative],
      ["template", required],
      ["", selectsTemplate],
    ],
    "core.v1.NamespaceSpec": [["finalizers", finalizerNames]],
    "core.v1.ConfigMap": [["", configMapContent]],
    "core.v1.Secret": [["", secretContent]],
    "core.v1.PersistentVolumeClaimSpec": [
      ["accessModes", claimAccessModes],
      ["selector"],
      ["resources", storageRequest],
      ["storageClassName", dnsSubdomain],
      ["volumeMode", volumeModes],
    ],
    "core.v1.PersistentVolumeSpec": [
      ["accessModes", required, eachAccessMode],
      [
        "capacity",
        (value, findings) => {
          const capacity = recordAt(value);
          if (Object.keys(capacity).length === 0) findings.required();
          else if (capacity.storage === undefined || Object.keys(capacity).length > 1)
            findings.notSupported(value, ["storage"]);
        },
        resources,
      ],
      [
        "",
        (spec, findings) => {
          const [first, ...others] = Object.keys(recordAt(spec)).filter((member) =>
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
    "core.v1.NodeSpec": [["taints"], ["podCIDRs", each(cidr)]],
    "core.v1.Taint": [
      ["key", required, qualifiedName],
      ["effect", required, oneOf("NoSchedule", "PreferNoSchedule", "NoExecute")],
    ],
    "core.v1.Event": [["", eventNamespace]],
    "core.v1.Binding": [["target"]],
  },
  changes: {
    "core.v1.Pod": podChange,
    "core.v1.Secret": immutable("type"),
    "core.v1.PersistentVolumeClaim": claimChange,
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
    "core.v1.Node": (node, current, findings) => {
      const before = arrayAt(current, "spec", "podCIDRs");
      if (before.length > 0 && !sameJson(before, arrayAt(node, "spec", "podCIDRs")))
        findings.forbidden('node updates may not change podCIDR except from "" to valid', "spec", "podCIDRs");
      const provider = textAt(current, "spec", "providerID");
      if (provider !== "" && provider !== textAt(node, "spec", "providerID"))
        findings.forbidden(
          'node updates may not change providerID except from "" to valid',
          "spec",
          "providerID",
        );
    },
  },
};

const volumeSources: ReadonlySet<string> = new Set(
  `awsElasticBlockStore azureDisk azureFile cephfs cinder csi fc flexVolume flocker gcePersistentDisk glusterfs hostPath
  iscsi local nfs photonPersistentDisk portworxVolume quobyte rbd scaleIO storageos vsphereVolume`.split(
    /\s+/,
  ),
);

function withPodDefaults(pod: Fields): Fields {
  const spec = recordAt(pod, "spec");
  const hostNetwork = spec.hostNetwork === true;
  const complete: Record<string, unknown> = { ...spec };
  if (spec.enableServiceLinks === undefined) complete.enableServiceLinks = true;
  for (const list of ["containers", "initContainers"]) {
    if (Array.isArray(spec[list])) complete[list] = spec[list].map((each) => podContainer(each, hostNetwork));
  }
  return pod.spec === undefined ? pod : { ...pod, spec: withPodLevelDefaults(complete) };
}

/** A pod asks for what it may use at most, and its ports are the node's on the host's network. */
function podContainer(value: unknown, hostNetwork: boolean): unknown {
  let container: unknown = value;
  const limits = valueAt(value, "resources", "limits");
  if (limits !== undefined) {
    const own = recordAt(value, "resources");
    const requests = { ...recordAt(limits), ...recordAt(own, "requests") };
    container = { ...recordAt(value), resources: { ...own, requests } };
  }
  const ports = arrayAt(value, "ports");
  if (!hostNetwork || ports.length === 0) return container;
  return {
    ...recordAt(container),
    ports: ports.map((each) => ({
      ...recordAt(each),
      hostPort: valueAt(each, "hostPort") || valueAt(each, "containerPort"),
    })),
  };
}

/** A kubelet's picture of a pod of its own says on which node that is. */
function mirrorOnNode(pod: unknown, findings: Findings): void {
  const annotation = "kubernetes.io/config.mirror";
  const mirror = valueAt(pod, "metadata", "annotations", annotation);
  if (mirror === undefined || textAt(pod, "spec", "nodeName") !== "") return;
  const why = "must set spec.nodeName if mirror pod annotation is set";
  findings.invalid(mirror, why, "metadata", "annotations", `[${annotation}]`);
}

const standardFinalizers: ReadonlySet<string> = new Set(["foregroundDeletion", "kubernetes", "orphan"]);

/** The finalizers of a namespace's specification: standard ones, or in the domain of whoever takes them away. */
function finalizerNames(value: unknown, findings: Findings): void {
  if (!Array.isArray(value)) return;
  for (const [at, name] of value.entries()) {
    const why = qualifiedNameForm(String(name));
    if (why) findings.invalid(name, why, at);
    if (String(name).includes("/") || standardFinalizers.has(String(name))) continue;
    findings.invalid(name, "name is neither a standard finalizer name nor is it fully qualified", at);
  }
}

function configMapContent(object: unknown, findings: Findings): void {
  const binary = recordAt(object, "binaryData");
  let size = 0;
  for (const [key, value] of Object.entries(recordAt(object, "data"))) {
    const why = configMapKey(key);
    if (why) findings.invalid(key, why, "data", `[${key}]`);
    if (Object.hasOwn(binary, key))
      findings.invalid(key, "duplicate of key present in binaryData", "data", `[${key}]`);
    size += String(value).length;
  }
  for (const [key, value] of Object.entries(binary)) {
    const why = configMapKey(key);
    if (why) findings.invalid(key, why, "binaryData", `[${key}]`);
    size += String(value).length * 0.75;
  }
  if (size > maxContentBytes) findings.tooLong(maxContentBytes, "[]");
}

/** The members that the data of a type of Secret must have. */
const secretKeys: Readonly<Record<string, readonly string[]>> = {
  "kubernetes.io/dockercfg": [".dockercfg"],
  "kubernetes.io/dockerconfigjson": [".dockerconfigjson"],
  "kubernetes.io/ssh-auth": ["ssh-privatekey"],
  "kubernetes.io/tls": ["tls.crt", "tls.key"],
};

function secretContent(secret: unknown, findings: Findings): void {
  const data = recordAt(secret, "data");
  let size = 0;
  for (const [key, value] of Object.entries(data)) {
    const why = configMapKey(key);
    if (why) findings.invalid(key, why, "data", `[${key}]`);
    size += String(value).length * 0.75;
  }
  if (size > maxContentBytes) findings.tooLong(maxContentBytes, "data");
  const type = textAt(secret, "type");
  for (const key of secretKeys[type] ?? [])
    if (data[key] === undefined) findings.required("", "data", `[${key}]`);
  if (type === "kubernetes.io/basic-auth" && data.username === undefined && data.password === undefined) {
    findings.required("", "data", "[username]");
    findings.required("", "data", "[password]");
  }
  const account = "kubernetes.io/service-account.name";
  if (type === "kubernetes.io/service-account-token" && !textAt(secret, "metadata", "annotations", account))
    findings.required("", "metadata", "annotations", `[${account}]`);
}

function claimAccessModes(value: unknown, findings: Findings): void {
  if (!Array.isArray(value) || value.length === 0) findings.required("at least 1 access mode is required");
  else eachAccessMode(value, findings);
}

function eachAccessMode(value: unknown, findings: Findings): void {
  if (!Array.isArray(value)) return;
  for (const mode of value) if (!accessModes.includes(String(mode))) findings.notSupported(mode, accessModes);
  if (value.includes("ReadWriteOncePod") && value.length > 1)
    findings.forbidden("may not use ReadWriteOncePod with other access modes");
}

function storageRequest(value: unknown, findings: Findings): void {
  const amount = valueAt(value, "requests", "storage");
  if (amount === undefined) findings.required("", "[storage]");
  else if (!(quantityOf(String(amount)) > 0))
    findings.invalid(amount, "must be greater than zero", "[storage]");
}

function selectsTemplate(spec: unknown, findings: Findings): void {
  const selector = recordAt(spec, "selector");
  const own = recordAt(spec, "template", "metadata", "labels");
  if (Object.entries(selector).some(([key, value]) => own[key] !== value))
    findings.invalid(own, "`selector` does not match template `labels`", "template", "metadata", "labels");
  checkMounts(valueAt(spec, "template", "spec"), findings, [], "template", "spec");
}

function eventNamespace(event: unknown, findings: Findings): void {
  const involved = textAt(event, "involvedObject", "namespace");
  const own = textAt(event, "metadata", "namespace");
  if (involved !== "" && involved !== own)
    findings.invalid(involved, "does not match event.namespace", "involvedObject", "namespace");
}

const updatablePodFields =
  "`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only " +
  "additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";

function podChange(pod: Fields, current: Fields, findings: Findings): void {
  const [spec, before] = [recordAt(pod, "spec"), recordAt(current, "spec")];
  if (spec === before || sameJson(spec, before)) return;
  for (const list of ["containers", "initContainers"]) {
    if (arrayAt(spec, list).length === arrayAt(before, list).length) continue;
    findings.forbidden("pod updates may not add or remove containers", "spec", list);
    return;
  }
  const [deadline, oldDeadline] = [spec.activeDeadlineSeconds, before.activeDeadlineSeconds];
  if (typeof oldDeadline === "number" && deadline !== oldDeadline) {
    if (deadline === undefined)
      findings.invalid(
        null,
        "must not update from a positive integer to nil value",
        "spec",
        "activeDeadlineSeconds",
      );
    else if (typeof deadline === "number" && deadline > oldDeadline)
      findings.invalid(
        deadline,
        "must be less than or equal to previous value",
        "spec",
        "activeDeadlineSeconds",
      );
  }
  const tolerations = arrayAt(spec, "tolerations");
  const kept = arrayAt(before, "tolerations").every((old) => tolerations.some((each) => sameJson(each, old)));
  if (!kept)
    findings.forbidden(
      "existing toleration can not be modified except its tolerationSeconds",
      "spec",
      "tolerations",
    );
  const names = new Set(arrayAt(before, "schedulingGates").map((gate) => textAt(gate, "name")));
  for (const [at, gate] of arrayAt(spec, "schedulingGates").entries()) {
    if (names.has(textAt(gate, "name"))) continue;
    findings.forbidden(
      "only deletion is allowed, but found new scheduling gate",
      "spec",
      "schedulingGates",
      at,
    );
  }
  // A pod without a node may get one here too, as by its binding; ephemeral containers have a subresource of their own.
  const free = [
    ...["activeDeadlineSeconds", "tolerations", "schedulingGates", "ephemeralContainers"],
    ...(before.nodeName ? [] : ["nodeName"]),
    ...(names.size > 0 ? ["nodeSelector", "affinity"] : []),
  ];
  const withImages = (list: string) =>
    arrayAt(spec, list).map((each, at) => ({
      ...recordAt(each),
      image: valueAt(arrayAt(before, list)[at], "image"),
    }));
  const munged: Record<string, unknown> = { ...spec };
  for (const list of ["containers", "initContainers"])
    if (spec[list] !== undefined) munged[list] = withImages(list);
  for (const field of free) munged[field] = before[field];
  if (!sameJson(munged, before))
    findings.forbidden(`pod updates may not change fields other than ${updatablePodFields}`, "spec");
}

function claimChange(claim: Fields, current: Fields, findings: Findings): void {
  const before = recordAt(current, "spec");
  const bound = textAt(current, "status", "phase") === "Bound";
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
    quantityOf(textAt(each, "spec", "resources", "requests", "storage")),
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
