import type { AdmissionPolicy } from "./admission-policy.ts";
import { privilegedNamespaces } from "./privileged-namespaces.ts";
import { protectedConfigs } from "./protected-configs.ts";

/**
 * Exempts four system users, the group `system:masters`, and groups with the prefix `system:nodes` or `system:serviceaccounts`.
 * The group `my-system:nodes` is not exempt.
 */
const notExempt = {
  "not-exempt": `has(request.userInfo) && has(request.userInfo.username) && !(request.userInfo.username in ${list(
    ["system:kube-controller-manager", "system:kube-scheduler", "system:admin", "system:aro-service"],
  )}) && !(has(request.userInfo.groups) && request.userInfo.groups.exists(group, group == "system:masters" || group.startsWith("system:nodes") || group.startsWith("system:serviceaccounts")))`,
};
const user = "request.userInfo.username";
const changes = ["CREATE", "UPDATE", "DELETE"] as const;
const target = 'request.operation == "DELETE" ? oldObject : object';
const machineRole = "machine.openshift.io/cluster-api-machine-role";
const masterRole = "node-role.kubernetes.io/master";

const machines: AdmissionPolicy = {
  name: "aro-machines-deny",
  failurePolicy: "Ignore",
  rules: [{ group: "machine.openshift.io", resources: ["machines"], operations: ["DELETE"] }],
  namespace: "openshift-machine-api",
  matchConditions: notExempt,
  variables: { role: `oldObject.metadata.?labels[?"${machineRole}"].orValue("")` },
  expression: '!variables.role.contains("master")',
  message: "Deletion of master machines is not allowed",
  messageExpression: `"user <" + ${user} + "> not allowed to delete resource with label <${machineRole}: " + variables.role + ">"`,
};

const nodes: AdmissionPolicy = {
  name: "aro-nodes-deny",
  failurePolicy: "Ignore",
  rules: [{ group: "", resources: ["nodes"], operations: ["DELETE"] }],
  matchConditions: notExempt,
  expression: `!(has(oldObject.metadata.labels) && "${masterRole}" in oldObject.metadata.labels)`,
  message: "Deletion of master nodes is not allowed",
  messageExpression: `"user <" + ${user} + "> not allowed to delete resource with label <${masterRole}>"`,
};

const machineConfigs: AdmissionPolicy = {
  name: "aro-machine-config-deny",
  failurePolicy: "Ignore",
  rules: [
    { group: "machineconfiguration.openshift.io", resources: ["machineconfigs"], operations: [...changes] },
  ],
  matchConditions: notExempt,
  variables: { name: `(${target}).metadata.name` },
  expression: `!(variables.name in ${list(protectedConfigs)}) && !variables.name.matches("^rendered-(master|worker)-.+$")`,
  message: "Operation not allowed on protected MachineConfig",
  messageExpression: `"user " + ${user} + " not allowed to " + request.operation + " machine config " + variables.name`,
};

const namespaces: AdmissionPolicy = {
  name: "aro-privileged-namespace-deny",
  failurePolicy: "Ignore",
  rules: [
    ["", "pods secrets services serviceaccounts replicationcontrollers resourcequotas namespaces"],
    ["apps", "deployments replicasets statefulsets daemonsets"],
    ["batch", "jobs cronjobs"],
    ["rbac.authorization.k8s.io", "roles rolebindings"],
    ["policy", "poddisruptionbudgets"],
  ].map(([group = "", plurals = ""]) => ({ group, resources: plurals.split(" "), operations: [...changes] })),
  matchConditions: notExempt,
  variables: {
    isNamespace: 'request.kind.kind == "Namespace"',
    name: `(${target}).metadata.?name.orValue("unknown")`,
    targetNamespace: `variables.isNamespace ? variables.name : (${target}).metadata.?namespace.orValue("")`,
  },
  expression: `!(variables.targetNamespace in ${list(privilegedNamespaces)})`,
  message: "Operation not allowed in privileged namespace",
  messageExpression: `"user " + ${user} + " not allowed to " + request.operation + (variables.isNamespace ? " namespace " + variables.name : " " + variables.name + " in namespace " + variables.targetNamespace)`,
};

/**
 * Optional policies. A separate flag enables each policy. The policies apply to all users except the service and the platform.
 */
export const optionalPolicies: readonly AdmissionPolicy[] = [machines, nodes, machineConfigs, namespaces];

function list(texts: readonly string[]): string {
  return `[${texts.map((text) => JSON.stringify(text)).join(", ")}]`;
}
