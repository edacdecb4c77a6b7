import type { Duplex } from "node:stream";
import type { ClusterClient } from "@keelson/apiserver";
import type { Clock, Logger } from "@keelson/base";
import { listAt, stringAt } from "@keelson/base";
import { resources } from "../base/resources.ts";
import type { ClusterMachines } from "../hypervisor/machine-view.ts";
import { roleOf, type VirtualMachine } from "../hypervisor/virtual-machine.ts";
import { connectionPair } from "./connection-pair.ts";
import { serveNodeSsh } from "./node-ssh-server.ts";

export interface GuestsDeps {
  readonly infraId: string;
  readonly client: ClusterClient;
  readonly machines: ClusterMachines;
  readonly nodeDirectory: (node: string) => string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Reference to a machine of the simulated Azure. */
export interface MachineRef {
  /** ARM resource ID. */
  readonly id: string;
}

const sshPort = 22;

/**
 * SSH servers on the machines of one cluster. Clients connect only within this process, because no server listens on a socket.
 */
export class ClusterGuests implements Disposable {
  readonly #deps: GuestsDeps;
  readonly #open = new Set<Duplex>();

  constructor(deps: GuestsDeps) {
    this.#deps = deps;
  }

  /** Connects to a machine port. `undefined` if no server listens. */
  connect({ id }: MachineRef, port: number): Duplex | undefined {
    const machine = this.#deps.machines.list().find((each) => each.id.toLowerCase() === id.toLowerCase());
    if (port !== sshPort || !machine?.sshHostKey || machine.powerState !== "running") return undefined;
    return this.#connectTo(machine, machine.sshHostKey);
  }

  [Symbol.dispose](): void {
    for (const connection of this.#open) connection.destroy();
  }

  #connectTo(machine: VirtualMachine, hostKey: string): Duplex {
    const { clock, infraId, logger, nodeDirectory } = this.#deps;
    const [client, server] = connectionPair();
    this.#open.add(server);
    server.once("close", () => this.#open.delete(server));
    serveNodeSsh(server, {
      node: machine.name,
      hostKey,
      directory: nodeDirectory(machine.name),
      authorizedKeys: () => this.#authorizedKeys(roleOf(machine, infraId) === "worker" ? "worker" : "master"),
      neighbour: (address, port) => this.#neighbour(address, port),
      clock,
      logger,
    });
    return client;
  }

  /** Connects a node to a port of a second node. `address` is the second node's name or IP address. */
  #neighbour(address: string, port: number): Duplex | undefined {
    const found = this.#deps.machines
      .list()
      .find(({ name, privateIpAddresses }) => name === address || privateIpAddresses.includes(address));
    return found && this.connect(found, port);
  }

  /** Returns the SSH keys of the user `core` in the MachineConfigs of a role. */
  async #authorizedKeys(role: string): Promise<readonly string[]> {
    const labelSelector = `machineconfiguration.openshift.io/role=${role}`;
    const { items } = await this.#deps.client.list(resources.machineConfigs, { labelSelector });
    return items
      .flatMap((config) => listAt(config, "spec", "config", "passwd", "users"))
      .filter((user) => stringAt(user, "name") === "core")
      .flatMap((user) => listAt(user, "sshAuthorizedKeys"))
      .filter((key) => typeof key === "string");
  }
}
