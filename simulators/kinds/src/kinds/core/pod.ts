import { type KubeObject, proxyVerbs, sameJson, scalarStringAt, streamVerbs } from "@keelson/apimachinery";
import { listAt, objectAt, valueAt } from "@keelson/base";
import { checkMounts } from "../../catalogue/facts/pod-checks.ts";
import type { Findings } from "../../catalogue/findings.ts";
import { qosClassOf, withPodLevelDefaults } from "../../catalogue/pod-resources.ts";
import type { Fields } from "../../catalogue/type-facts.ts";
import { podEvaluator } from "../../quota/pod-evaluator.ts";
import type { Kind } from "../kind.ts";
import { podColumns } from "./pod-columns.ts";

const updatablePodFields =
  "`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only " +
  "additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";

/** Built-in kind Pod. Source of its rules: kubernetes pkg/apis/core/v1/defaults.go and pkg/apis/core/validation/validation.go. */
export const pod: Kind = {
  group: "",
  versions: ["v1"],
  kind: "Pod",
  plural: "pods",
  shortNames: ["po"],
  categories: ["all"],
  namespaced: true,
  description: "Containers that run together on one node.",
  subresources: {
    attach: { kind: "PodAttachOptions", verbs: streamVerbs, connects: true },
    binding: { kind: "Binding", verbs: ["create"] },
    ephemeralcontainers: {},
    eviction: { kind: "Eviction", group: "policy", version: "v1", verbs: ["create"] },
    exec: { kind: "PodExecOptions", verbs: streamVerbs, connects: true },
    log: { verbs: ["get"] },
    portforward: { kind: "PodPortForwardOptions", verbs: streamVerbs, connects: true },
    proxy: { kind: "PodProxyOptions", verbs: proxyVerbs, connects: true },
    status: {},
  },
  strategy: { applyDefaults: withQosClass, keptWithStatus: "ownerReferences", returnsDeleted: true },
  columns: podColumns,
  selectableFields: {
    fields: {
      "spec.nodeName": {},
      "spec.restartPolicy": {},
      "spec.schedulerName": {},
      "spec.serviceAccountName": {},
      "spec.hostNetwork": { absent: "false" },
      "status.phase": {},
      "status.podIP": {},
      "status.nominatedNodeName": {},
    },
  },
  quota: podEvaluator,
  types: {
    defaults: `
core.v1.Pod spec={} status={}
`,
    derived: {
      "core.v1.Pod": withPodDefaults,
    },
    checks: {
      "core.v1.Pod": [
        ["", mirrorOnNode],
        ["spec"],
        ["", (pod, findings) => checkMounts(valueAt(pod, "spec"), findings, [], "spec")],
      ],
      "core.v1.Binding": [["target"]],
    },
    changes: {
      "core.v1.Pod": podChange,
    },
    mergeKeys: `
core.v1.ContainerStatus allocatedResourcesStatus=name volumeMounts=mountPath
core.v1.PodStatus conditions=type hostIPs=ip podIPs=ip resourceClaimStatuses=name+
core.v1.PodStatus nodeAllocatableResourceClaimStatuses=resourceClaimName
`,
    ownership: `
core.v1.ContainerStatus allocatedResourcesStatus=name volumeMounts=mountPath
core.v1.ResourceStatus resources=resourceID
core.v1.PodStatus conditions=type podIPs=ip resourceClaimStatuses=name
`,
    protobuf: `
core.v1.Binding metadata=1 target=2
core.v1.ContainerExtendedResourceRequest containerName=1* resourceName=2* requestName=3*
core.v1.ContainerState waiting=1 running=2 terminated=3
core.v1.ContainerStateRunning startedAt=1
core.v1.ContainerStateTerminated exitCode=1* signal=2 reason=3 message=4 startedAt=5 finishedAt=6 containerID=7
core.v1.ContainerStateWaiting reason=1 message=2
core.v1.ContainerStatus name=1* state=2 lastState=3 ready=4* restartCount=5* image=6* imageID=7* containerID=8 started=9* allocatedResources=10 resources=11 volumeMounts=12 user=13 allocatedResourcesStatus=14 stopSignal=15*
core.v1.ContainerUser linux=1
core.v1.HostIP ip=1*
core.v1.ImageVolumeStatus imageRef=1
core.v1.LinuxContainerUser uid=1* gid=2* supplementalGroups=3
core.v1.NodeAllocatableResourceClaimStatus resourceClaimName=1* containers=2
core.v1.Pod metadata=1 spec=2 status=3
core.v1.PodCondition type=1* observedGeneration=7 status=2* lastProbeTime=3 lastTransitionTime=4 reason=5 message=6
core.v1.PodExtendedResourceClaimStatus requestMappings=1 resourceClaimName=2*
core.v1.PodIP ip=1*
core.v1.PodResourceClaimStatus name=1* resourceClaimName=2*
core.v1.PodStatus observedGeneration=17 phase=1 conditions=2 message=3 reason=4 nominatedNodeName=11 hostIP=5 hostIPs=16 podIP=6 podIPs=12 startTime=7 initContainerStatuses=10 containerStatuses=8 qosClass=9 ephemeralContainerStatuses=13 resize=14 resourceClaimStatuses=15 extendedResourceClaimStatus=18 allocatedResources=19 resources=20 nodeAllocatableResourceClaimStatuses=21
core.v1.ResourceHealth resourceID=1* health=2 message=6*
core.v1.ResourceStatus name=1* resources=2
core.v1.VolumeMountStatus name=1* mountPath=2* readOnly=3 recursiveReadOnly=4* volumeStatus=5
core.v1.VolumeStatus image=1
policy.v1.Eviction metadata=1 deleteOptions=2
`,
    enums: `
core.v1.ContainerStatus.stopSignal SIGABRT|SIGALRM|SIGBUS|SIGCHLD|SIGCLD|SIGCONT|SIGFPE|SIGHUP|SIGILL|SIGINT|SIGIO|SIGIOT|SIGKILL|SIGPIPE|SIGPOLL|SIGPROF|SIGPWR|SIGQUIT|SIGRTMAX|SIGRTMAX-1|SIGRTMAX-10|SIGRTMAX-11|SIGRTMAX-12|SIGRTMAX-13|SIGRTMAX-14|SIGRTMAX-2|SIGRTMAX-3|SIGRTMAX-4|SIGRTMAX-5|SIGRTMAX-6|SIGRTMAX-7|SIGRTMAX-8|SIGRTMAX-9|SIGRTMIN|SIGRTMIN+1|SIGRTMIN+10|SIGRTMIN+11|SIGRTMIN+12|SIGRTMIN+13|SIGRTMIN+14|SIGRTMIN+15|SIGRTMIN+2|SIGRTMIN+3|SIGRTMIN+4|SIGRTMIN+5|SIGRTMIN+6|SIGRTMIN+7|SIGRTMIN+8|SIGRTMIN+9|SIGSEGV|SIGSTKFLT|SIGSTOP|SIGSYS|SIGTERM|SIGTRAP|SIGTSTP|SIGTTIN|SIGTTOU|SIGURG|SIGUSR1|SIGUSR2|SIGVTALRM|SIGWINCH|SIGXCPU|SIGXFSZ
core.v1.PodStatus.phase Failed|Pending|Running|Succeeded|Unknown
core.v1.PodStatus.qosClass BestEffort|Burstable|Guaranteed
`,
  },
};

/** Computes the QoS class from the resources when the pod is created. The class is immutable. */
function withQosClass(pod: KubeObject, current: KubeObject | undefined): KubeObject {
  if (!current) return { ...pod, status: { phase: "Pending", qosClass: qosClassOf(pod) } };
  const qosClass = scalarStringAt(current, "status", "qosClass");
  if (!qosClass || scalarStringAt(pod, "status", "qosClass")) return pod;
  return { ...pod, status: { ...objectAt(pod, "status"), qosClass } };
}

function withPodDefaults(pod: Fields): Fields {
  const spec = objectAt(pod, "spec");
  const hostNetwork = spec.hostNetwork === true;
  const complete: Record<string, unknown> = { ...spec };
  if (spec.enableServiceLinks === undefined) complete.enableServiceLinks = true;
  for (const list of ["containers", "initContainers"]) {
    if (Array.isArray(spec[list])) complete[list] = spec[list].map((each) => podContainer(each, hostNetwork));
  }
  return pod.spec === undefined ? pod : { ...pod, spec: withPodLevelDefaults(complete) };
}

/** Sets missing resource requests to the limits. With host networking, sets missing host ports to the container ports. */
function podContainer(value: unknown, hostNetwork: boolean): unknown {
  let container: unknown = value;
  const limits = valueAt(value, "resources", "limits");
  if (limits !== undefined) {
    const own = objectAt(value, "resources");
    const requests = { ...objectAt(limits), ...objectAt(own, "requests") };
    container = { ...objectAt(value), resources: { ...own, requests } };
  }
  const ports = listAt(value, "ports");
  if (!hostNetwork || ports.length === 0) return container;
  return {
    ...objectAt(container),
    ports: ports.map((each) => ({
      ...objectAt(each),
      hostPort: valueAt(each, "hostPort") || valueAt(each, "containerPort"),
    })),
  };
}

/** Requires that a mirror pod has a node. */
function mirrorOnNode(pod: unknown, findings: Findings): void {
  const annotation = "kubernetes.io/config.mirror";
  const mirror = valueAt(pod, "metadata", "annotations", annotation);
  if (mirror === undefined || scalarStringAt(pod, "spec", "nodeName") !== "") return;
  const why = "must set spec.nodeName if mirror pod annotation is set";
  findings.invalid(mirror, why, "metadata", "annotations", `[${annotation}]`);
}

function podChange(pod: Fields, current: Fields, findings: Findings): void {
  const [spec, before] = [objectAt(pod, "spec"), objectAt(current, "spec")];
  if (spec === before || sameJson(spec, before)) return;
  for (const list of ["containers", "initContainers"]) {
    if (listAt(spec, list).length === listAt(before, list).length) continue;
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
  const tolerations = listAt(spec, "tolerations");
  const kept = listAt(before, "tolerations").every((old) => tolerations.some((each) => sameJson(each, old)));
  if (!kept)
    findings.forbidden(
      "existing toleration can not be modified except its tolerationSeconds",
      "spec",
      "tolerations",
    );
  const names = new Set(listAt(before, "schedulingGates").map((gate) => scalarStringAt(gate, "name")));
  for (const [at, gate] of listAt(spec, "schedulingGates").entries()) {
    if (names.has(scalarStringAt(gate, "name"))) continue;
    findings.forbidden(
      "only deletion is allowed, but found new scheduling gate",
      "spec",
      "schedulingGates",
      at,
    );
  }
  // Fields that an update may change. An update may set the node of an unscheduled pod, as a Binding does. Ephemeral containers
  // have a separate subresource.
  const free = [
    ...["activeDeadlineSeconds", "tolerations", "schedulingGates", "ephemeralContainers"],
    ...(before.nodeName ? [] : ["nodeName"]),
    ...(names.size > 0 ? ["nodeSelector", "affinity"] : []),
  ];
  const withImages = (list: string) =>
    listAt(spec, list).map((each, at) => ({
      ...objectAt(each),
      image: valueAt(listAt(before, list)[at], "image"),
    }));
  const munged: Record<string, unknown> = { ...spec };
  for (const list of ["containers", "initContainers"])
    if (spec[list] !== undefined) munged[list] = withImages(list);
  for (const field of free) munged[field] = before[field];
  if (!sameJson(munged, before))
    findings.forbidden(`pod updates may not change fields other than ${updatablePodFields}`, "spec");
}
