import { isPlainObject, listAt, stringAt, valueAt } from "@keelson/base";
import { stringMapAt } from "../base/fields.ts";

type PowerState = "running" | "stopped" | "deallocated";

/** Virtual machine reported by the simulated hypervisor. */
export interface VirtualMachine {
  /** ARM resource ID. */
  readonly id: string;
  readonly name: string;
  readonly resourceGroup: string;
  readonly location: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly vmSize: string;
  /** List with the machine's availability zone. Empty in regions without zones. */
  readonly zones: readonly string[];
  /** Base64 custom data. The firmware passes it to Ignition. */
  readonly customData?: string;
  readonly powerState: PowerState;
  readonly provisioningState: string;
  readonly privateIpAddresses: readonly string[];
  /** ARM resource IDs of the subnets of the network interfaces. */
  readonly subnetIds: readonly string[];
  readonly createdAt: string;
  /** Private SSH host key in PEM. The serial console prints its fingerprint. */
  readonly sshHostKey?: string;
}

export type MachineEvent =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly vm: VirtualMachine }
  /** End of the initial list. All machines that existed at the stream's start precede this event. */
  | { readonly type: "SYNCED" };

/** Parses one line of the hypervisor's stream. @throws TypeError if the line is not a valid event */
export function parseMachineEvent(line: string): MachineEvent {
  const event: unknown = JSON.parse(line);
  const type = stringAt(event, "type");
  if (type === "SYNCED") return { type };
  if (type === "ADDED" || type === "MODIFIED" || type === "DELETED")
    return { type, vm: parseMachine(valueAt(event, "vm")) };
  throw new TypeError(`unknown hypervisor event type ${JSON.stringify(type)}`);
}

function parseMachine(vm: unknown): VirtualMachine {
  const text = (member: string): string => {
    const value = stringAt(vm, member);
    if (value === undefined) throw new TypeError(`vm.${member} of a hypervisor event must be a string`);
    return value;
  };
  if (!isPlainObject(vm)) throw new TypeError("vm of a hypervisor event must be an object");
  const powerState = text("powerState");
  if (powerState !== "running" && powerState !== "stopped" && powerState !== "deallocated")
    throw new TypeError(`vm.powerState of a hypervisor event is ${JSON.stringify(powerState)}`);
  const customData = stringAt(vm, "customData");
  const sshHostKey = stringAt(vm, "sshHostKey");
  return {
    id: text("id"),
    name: text("name"),
    resourceGroup: text("resourceGroup"),
    location: text("location"),
    tags: stringMapAt(vm, "tags"),
    vmSize: text("vmSize"),
    zones: listAt(vm, "zones").filter((each) => typeof each === "string"),
    ...(customData === undefined ? {} : { customData }),
    powerState,
    provisioningState: text("provisioningState"),
    privateIpAddresses: listAt(vm, "privateIpAddresses").filter((each) => typeof each === "string"),
    subnetIds: listAt(vm, "subnetIds").filter((each) => typeof each === "string"),
    createdAt: text("createdAt"),
    ...(sshHostKey === undefined ? {} : { sshHostKey }),
  };
}

export type MachineRole = "bootstrap" | "master" | "worker";

/** Returns the role of a machine from its name. */
export function roleOf(machine: VirtualMachine, infraId: string): MachineRole {
  if (machine.name === `${infraId}-bootstrap`) return "bootstrap";
  return machine.name.startsWith(`${infraId}-master-`) ? "master" : "worker";
}
