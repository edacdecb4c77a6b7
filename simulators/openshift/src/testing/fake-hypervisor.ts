import type { Server, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { createCertificateAuthority, issueCertificate, Secret } from "@keelson/base";
import type { ClusterPlace } from "../hypervisor/machine-owners.ts";
import type { HypervisorEndpoint } from "../hypervisor/stream.ts";
import type { VirtualMachine } from "../hypervisor/virtual-machine.ts";

const exampleSubnetId =
  "/subscriptions/s/resourceGroups/demo-rg/providers/Microsoft.Network/virtualNetworks/demo-vnet/subnets/master-subnet";

/** Resource group and network of the machines. */
export const examplePlace: ClusterPlace = {
  subscriptionId: "s",
  resourceGroup: "aro-demo",
  networkResourceGroup: "demo-rg",
  virtualNetwork: "demo-vnet",
};

/** Returns a machine of the example cluster. By default, the machine was started long ago. */
export function exampleMachine(name: string, changes: Partial<VirtualMachine> = {}): VirtualMachine {
  return {
    id: `/subscriptions/s/resourceGroups/aro-demo/providers/Microsoft.Compute/virtualMachines/${name}`,
    name,
    resourceGroup: "aro-demo",
    location: "eastus",
    tags: {},
    vmSize: "Standard_D8s_v3",
    zones: [],
    powerState: "running",
    provisioningState: "Succeeded",
    privateIpAddresses: ["10.0.0.7"],
    subnetIds: [exampleSubnetId],
    createdAt: "2026-01-01T00:00:00.000Z",
    ...changes,
  };
}

/** Fake hypervisor. It serves the event stream over HTTPS. Tests add and change its machines. */
export class FakeHypervisor implements AsyncDisposable {
  readonly endpoint: HypervisorEndpoint;
  readonly #server: Server;
  readonly #readers: Set<ServerResponse>;
  readonly #machines: Map<string, VirtualMachine>;

  private constructor(
    endpoint: HypervisorEndpoint,
    server: Server,
    readers: Set<ServerResponse>,
    machines: Map<string, VirtualMachine>,
  ) {
    this.endpoint = endpoint;
    this.#server = server;
    this.#readers = readers;
    this.#machines = machines;
  }

  static async start(): Promise<FakeHypervisor> {
    const authority = await createCertificateAuthority("test", 1);
    const serving = await issueCertificate(authority, {
      commonName: "localhost",
      dnsNames: ["localhost"],
      usage: "server",
      validDays: 1,
    });
    const readers = new Set<ServerResponse>();
    const machines = new Map<string, VirtualMachine>();
    const adminToken = new Secret("admin-token");
    const tls = { cert: serving.certificatePem, key: serving.privateKeyPem };
    const server = createServer(tls, (request, response) => {
      if (request.headers.authorization !== `Bearer ${adminToken.reveal()}`) {
        response.writeHead(401).end();
        return;
      }
      response.writeHead(200, { "content-type": "application/x-ndjson" });
      for (const vm of machines.values()) response.write(`${JSON.stringify({ type: "ADDED", vm })}\n`);
      response.write(`\n${JSON.stringify({ type: "SYNCED" })}\n`);
      readers.add(response);
      response.on("close", () => readers.delete(response));
    });
    await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
    const url = `https://localhost:${portOf(server)}`;
    return new FakeHypervisor(
      { url, adminToken, caPem: authority.certificatePem },
      server,
      readers,
      machines,
    );
  }

  put(machine: VirtualMachine): void {
    this.#send(this.#machines.has(machine.name) ? "MODIFIED" : "ADDED", machine);
    this.#machines.set(machine.name, machine);
  }

  remove(name: string): void {
    const machine = this.#machines.get(name);
    if (!machine) throw new Error(`no machine ${name}`);
    this.#machines.delete(name);
    this.#send("DELETED", machine);
  }

  /** Simulates an outage: disconnects all clients, and deletes the machines in `forget` without sending events. */
  interrupt(forget: readonly string[] = []): void {
    for (const name of forget) this.#machines.delete(name);
    for (const reader of this.#readers) reader.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.interrupt();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #send(type: "ADDED" | "MODIFIED" | "DELETED", vm: VirtualMachine): void {
    for (const reader of this.#readers) reader.write(`${JSON.stringify({ type, vm })}\n`);
  }
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the server does not listen");
  return address.port;
}
