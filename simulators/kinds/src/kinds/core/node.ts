import { conditionOf, proxyVerbs, quantityOf, sameJson, scalarStringAt } from "@keelson/apimachinery";
import { listAt, objectAt, valueAt } from "@keelson/base";
import { cidr, each, oneOf, qualifiedName, required } from "../../catalogue/checks.ts";
import type { Findings } from "../../catalogue/findings.ts";
import { isIntegerResource } from "../../catalogue/resource-names.ts";
import { ageColumn, nameColumn, text, textOf, wide } from "../../columns/column.ts";
import { textMapAt } from "../../columns/read.ts";
import type { Kind } from "../kind.ts";

const rolePrefix = "node-role.kubernetes.io/";

/**
 * Built-in kind Node. Source of its rules: kubernetes pkg/apis/core/v1/defaults.go and pkg/apis/core/validation/validation.go.
 */
export const node: Kind = {
  group: "",
  versions: ["v1"],
  kind: "Node",
  plural: "nodes",
  shortNames: ["no"],
  namespaced: false,
  description: "A machine that runs pods.",
  subresources: { proxy: { kind: "NodeProxyOptions", verbs: proxyVerbs, connects: true }, status: {} },
  strategy: { statusOnCreate: true },
  columns: [
    nameColumn,
    text("Status", status),
    text("Roles", roles),
    ageColumn,
    textOf("Version", "status.nodeInfo.kubeletVersion"),
    wide(text("Internal-IP", (node) => address(node, "InternalIP"))),
    wide(text("External-IP", (node) => address(node, "ExternalIP"))),
    wide(textOf("OS-Image", "status.nodeInfo.osImage", "<unknown>")),
    wide(textOf("Kernel-Version", "status.nodeInfo.kernelVersion", "<unknown>")),
    wide(textOf("Container-Runtime", "status.nodeInfo.containerRuntimeVersion", "<unknown>")),
  ],
  selectableFields: { fields: { "spec.unschedulable": { absent: "false" } } },
  types: {
    defaults: `
core.v1.Node spec={} status={}
core.v1.NodeStatus daemonEndpoints={} nodeInfo={}
core.v1.NodeDaemonEndpoints kubeletEndpoint={}
core.v1.DaemonEndpoint Port=0
core.v1.NodeCondition lastHeartbeatTime=null lastTransitionTime=null
core.v1.NodeSystemInfo architecture="" bootID="" containerRuntimeVersion="" kernelVersion="" kubeProxyVersion="" kubeletVersion="" machineID="" operatingSystem="" osImage="" systemUUID=""
`,
    derived: {
      "core.v1.NodeStatus": (status) =>
        status.capacity && !status.allocatable ? { ...status, allocatable: status.capacity } : status,
    },
    checks: {
      "core.v1.NodeSpec": [["taints"], ["podCIDRs", each(cidr)]],
      "core.v1.Taint": [
        ["key", required, qualifiedName],
        ["effect", required, oneOf("NoSchedule", "PreferNoSchedule", "NoExecute")],
      ],
      "core.v1.NodeStatus": [
        ["addresses", distinctAddresses],
        ["capacity", nodeResources],
        ["allocatable", nodeResources],
      ],
    },
    changes: {
      "core.v1.Node": (node, current, findings) => {
        const before = listAt(current, "spec", "podCIDRs");
        if (before.length > 0 && !sameJson(before, listAt(node, "spec", "podCIDRs")))
          findings.forbidden(
            'node updates may not change podCIDR except from "" to valid',
            "spec",
            "podCIDRs",
          );
        const provider = scalarStringAt(current, "spec", "providerID");
        if (provider !== "" && provider !== scalarStringAt(node, "spec", "providerID"))
          findings.forbidden(
            'node updates may not change providerID except from "" to valid',
            "spec",
            "providerID",
          );
      },
    },
    mergeKeys: `
core.v1.NodeSpec podCIDRs=
core.v1.NodeStatus addresses=type conditions=type
`,
    ownership: `
core.v1.NodeSpec podCIDRs=
core.v1.NodeStatus addresses=type conditions=type
`,
    protobuf: `
core.v1.AttachedVolume name=1* devicePath=2*
core.v1.ConfigMapNodeConfigSource namespace=1* name=2* uid=3 resourceVersion=4 kubeletConfigKey=5*
core.v1.ContainerImage names=1 sizeBytes=2
core.v1.DaemonEndpoint Port=1*
core.v1.Node metadata=1 spec=2 status=3
core.v1.NodeAddress type=1* address=2*
core.v1.NodeCondition type=1* status=2* lastHeartbeatTime=3 lastTransitionTime=4 reason=5 message=6
core.v1.NodeConfigSource configMap=2
core.v1.NodeConfigStatus assigned=1 active=2 lastKnownGood=3 error=4
core.v1.NodeDaemonEndpoints kubeletEndpoint=1
core.v1.NodeFeatures supplementalGroupsPolicy=1*
core.v1.NodeRuntimeHandler name=1* features=2
core.v1.NodeRuntimeHandlerFeatures recursiveReadOnlyMounts=1* userNamespaces=2*
core.v1.NodeSpec podCIDR=1 podCIDRs=7 providerID=3 unschedulable=4 taints=5 configSource=6 externalID=2
core.v1.NodeStatus capacity=1 allocatable=2 phase=3 conditions=4 addresses=5 daemonEndpoints=6 nodeInfo=7 images=8 volumesInUse=9 volumesAttached=10 config=11 runtimeHandlers=12 features=13 declaredFeatures=14
core.v1.NodeSwapStatus capacity=1*
core.v1.NodeSystemInfo machineID=1* systemUUID=2* bootID=3* kernelVersion=4* osImage=5* containerRuntimeVersion=6* kubeletVersion=7* kubeProxyVersion=8* operatingSystem=9* architecture=10* swap=11
core.v1.Taint key=1* value=2 effect=3* timeAdded=4
`,
    enums: `
core.v1.NodeStatus.phase Pending|Running|Terminated
core.v1.Taint.effect NoExecute|NoSchedule|PreferNoSchedule
`,
  },
};

function status(node: unknown): string {
  const ready = conditionOf(node, "Ready");
  const words = [
    ready === undefined ? "Unknown" : scalarStringAt(ready, "status") === "True" ? "Ready" : "NotReady",
  ];
  if (valueAt(node, "spec", "unschedulable") === true) words.push("SchedulingDisabled");
  return words.join(",");
}

function roles(node: unknown): string {
  const found = new Set<string>();
  for (const [label, value] of textMapAt(node, "metadata", "labels")) {
    if (label.startsWith(rolePrefix) && label.length > rolePrefix.length)
      found.add(label.slice(rolePrefix.length));
    else if (label === "kubernetes.io/role" && value) found.add(value);
  }
  return [...found].sort().join(",") || "<none>";
}

function address(node: unknown, type: string): string {
  const found = listAt(node, "status", "addresses").find((each) => scalarStringAt(each, "type") === type);
  return scalarStringAt(found, "address") || "<none>";
}

function distinctAddresses(value: unknown, findings: Findings): void {
  const addresses = Array.isArray(value) ? value : [];
  const seen = new Set<string>();
  for (const [at, each] of addresses.entries()) {
    const shown = { Type: scalarStringAt(each, "type"), Address: scalarStringAt(each, "address") };
    const key = JSON.stringify(shown);
    if (seen.has(key)) findings.duplicate(shown, at);
    seen.add(key);
  }
}

function nodeResources(value: unknown, findings: Findings): void {
  for (const [name, amount] of Object.entries(objectAt(value))) {
    const quantity = quantityOf(String(amount));
    if (quantity < 0) findings.invalid(amount, "must be greater than or equal to 0", name);
    if (isIntegerResource(name) && !Number.isInteger(quantity))
      findings.invalid(amount, "must be an integer", name);
  }
}
