/**
 * Fields of a master's Machine that must match the virtual machine and the node of the master. Missing values are empty strings.
 */
export interface MachineFacts {
  readonly name: string;
  readonly phase: string;
  readonly labelZone: string;
  readonly specZone: string;
  readonly labelSize: string;
  readonly specSize: string;
}

export interface VmFacts {
  readonly name: string;
  /** Status codes of the instance view, for example `PowerState/running`. */
  readonly statuses: readonly string[];
  readonly size: string;
  readonly zone: string;
}

export interface NodeFacts {
  readonly name: string;
  readonly unschedulable: boolean;
  readonly ready: boolean;
  readonly size: string;
  /** Size in the older label `beta.kubernetes.io/instance-type`. */
  readonly betaSize: string;
}

const replicas = 3;
const healthyStatuses = ["ProvisioningState/succeeded", "PowerState/running"];

/**
 * Returns the problems that can be found in the Machines alone, without the virtual machines and nodes.
 * @see Azure/ARO-RP pkg/frontend/admin_openshiftcluster_resize_validation_helpers.go
 */
export function machineProblems(machines: readonly MachineFacts[]): readonly string[] {
  if (machines.length !== replicas) return [`expected ${replicas} machines, got ${machines.length}`];
  const problems = machines.flatMap((machine) => machineProblem(machine) ?? []);
  return problems.length > 0 ? problems : zoneProblems(machines.map(({ specZone }) => specZone));
}

function machineProblem(machine: MachineFacts): string | undefined {
  const { name, phase, labelZone, specZone, labelSize, specSize } = machine;
  if (phase !== "Running")
    return `machine ${name} status phase is not Running, current phase is ${phase || "nil"}`;
  if (labelZone !== specZone) {
    return `machine ${name} has a mismatch between label zone ${shown(labelZone)} and spec zone ${shown(specZone)}. These values should match`;
  }
  if (labelSize === "" || labelSize !== specSize) {
    return `machine ${name} has a mismatch between label instance-type ${labelSize || "<missing>"} and instance type defined in the spec ${specSize}. These values should match`;
  }
  return undefined;
}

export function vmProblems(vms: readonly VmFacts[]): readonly string[] {
  const problems = vms.flatMap(({ name, statuses }) => {
    if (statuses.length < healthyStatuses.length)
      return [`expected 2 statuses for VM ${name}, but found ${statuses.length}: ${statuses.join(", ")}`];
    const unexpected = statuses.filter((each) => !healthyStatuses.includes(each));
    return unexpected.length > 0
      ? [`found unexpected statuses for VM ${name}: ${unexpected.join(", ")}`]
      : [];
  });
  return problems.length > 0 ? problems : zoneProblems(vms.map(({ zone }) => zone));
}

export function machineAndVmProblems(
  machines: readonly MachineFacts[],
  vms: readonly VmFacts[],
): readonly string[] {
  return machines.flatMap(({ name, specZone, specSize }) => {
    const vm = vms.find((each) => each.name === name);
    if (!vm) return [`machine ${name} not found in Azure resources`];
    return [
      ...(specZone === vm.zone
        ? []
        : [
            `machine ${name} has zone ${shown(specZone)} in its spec, however Azure VM is running in zone ${shown(vm.zone)}`,
          ]),
      ...(specSize === vm.size
        ? []
        : [`machine ${name} has size ${specSize} in its spec, however Azure VM is running a ${vm.size} VM`]),
    ];
  });
}

export function nodeProblems(nodes: readonly NodeFacts[]): readonly string[] {
  const problems = nodes.flatMap(({ name, unschedulable, ready, size, betaSize }) => [
    ...(unschedulable ? [`node ${name} is unschedulable`] : []),
    ...(ready ? [] : [`node ${name} is not ready`]),
    ...(size === betaSize
      ? []
      : [
          `node ${name} has a mismatch between labels. node.kubernetes.io/instance-type: ${size} beta.kubernetes.io/instance-type: ${betaSize}`,
        ]),
  ]);
  if (nodes.length === replicas) return problems;
  const names = nodes.map(({ name }) => name).sort();
  return [
    ...problems,
    `expected ${replicas} control plane nodes, found ${nodes.length}: [${names.join(", ")}]`,
  ];
}

export function machineAndNodeProblems(
  machines: readonly MachineFacts[],
  nodes: readonly NodeFacts[],
): readonly string[] {
  return machines.flatMap(({ name, specSize }) => {
    const node = nodes.find((each) => each.name === name);
    if (!node) return [`machine ${name} not found in cluster nodes`];
    return specSize === node.size
      ? []
      : [`machine ${name} has size ${specSize} in its spec, however node has instance-type ${node.size}`];
  });
}

/** Returns a problem unless all masters are in different zones, or all masters have no zone. */
function zoneProblems(zones: readonly string[]): readonly string[] {
  const distinct = [...new Set(zones)].sort();
  if (distinct.length === replicas && !distinct.includes("")) return [];
  if (distinct.length > 1)
    return [`items have unsupported mixed zone topology: zones ${quoted(distinct.map(shown))}`];
  return distinct[0] === ""
    ? []
    : [`single-zone control plane topology is unsupported for resize validation: zones ${quoted(distinct)}`];
}

function quoted(texts: readonly string[]): string {
  return `[${texts.map((each) => JSON.stringify(each)).join(" ")}]`;
}

function shown(zone: string): string {
  return zone === "" ? "regional/no-zone" : zone;
}
