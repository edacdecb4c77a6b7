import { ageColumn, type Column, nameColumn, text, textOf, wide } from "./column.ts";
import { at, conditionOf, listAt, textAt, textMapAt } from "./read.ts";

const rolePrefix = "node-role.kubernetes.io/";

export const nodeColumns: readonly Column[] = [
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
];

function status(node: unknown): string {
  const ready = conditionOf(node, "Ready");
  const words = [ready === undefined ? "Unknown" : textAt(ready, "status") === "True" ? "Ready" : "NotReady"];
  if (at(node, "spec", "unschedulable") === true) words.push("SchedulingDisabled");
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
  const found = listAt(node, "status", "addresses").find((each) => textAt(each, "type") === type);
  return textAt(found, "address") || "<none>";
}
