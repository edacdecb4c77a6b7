import type { JsonObject } from "@keelson/base";
import { keyOf } from "../arm/arm-path.ts";
import type { ResourceRecord } from "../arm/resource.ts";
import type { Subscription } from "../arm/subscription.ts";
import { members, nonEmptyStringAt, objectsAt } from "../base/json.ts";
import { powerStateOf } from "../compute/power/power-state.ts";
import { sshHostKeyOf } from "../compute/ssh-host-key.ts";
import { networkInterfacesOf, virtualMachineType } from "../compute/virtual-machines.ts";

/** Event about a virtual machine for the hypervisor. Includes data that ARM clients cannot read. */
export type VirtualMachineEvent =
  | { readonly type: "SYNCED" }
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly vm: JsonObject };

/** Sends all existing virtual machines, and then each change, to the subscribed readers. */
export class VirtualMachineFeed {
  readonly #subscription: Subscription;
  readonly #readers = new Set<(event: VirtualMachineEvent) => void>();
  /** Cached host keys of the existing machines by resource ID, because the derivation of a key needs about a millisecond. */
  readonly #hostKeys = new Map<string, { readonly createdAt: string; readonly privateKeyPem: string }>();

  constructor(subscription: Subscription) {
    this.#subscription = subscription;
    subscription.store.onChange<ResourceRecord>("resource", (before, after) => {
      const event = this.#readers.size > 0 ? this.#eventOf(before, after) : undefined;
      if (event) for (const reader of this.#readers) reader(event);
    });
  }

  /**
   * Calls `reader` with ADDED for every existing machine, then with SYNCED, then with each change. Stops when `signal` aborts.
   */
  subscribe(reader: (event: VirtualMachineEvent) => void, signal: AbortSignal): void {
    if (signal.aborted) return;
    for (const record of this.#subscription.resources.ofType(virtualMachineType)) {
      reader({ type: "ADDED", vm: this.#describe(record) });
    }
    reader({ type: "SYNCED" });
    this.#readers.add(reader);
    signal.addEventListener("abort", () => this.#readers.delete(reader), { once: true });
  }

  #eventOf(
    before: ResourceRecord | undefined,
    after: ResourceRecord | undefined,
  ): VirtualMachineEvent | undefined {
    const record = after ?? before;
    if (record?.type !== virtualMachineType) return undefined;
    const type = !before ? "ADDED" : after ? "MODIFIED" : "DELETED";
    const vm = this.#describe(record);
    if (!after) this.#hostKeys.delete(keyOf(record.id));
    return { type, vm };
  }

  #hostKeyOf(record: ResourceRecord): string {
    const { id, createdAt } = record;
    const known = this.#hostKeys.get(keyOf(id));
    if (known?.createdAt === createdAt) return known.privateKeyPem;
    const { privateKeyPem } = sshHostKeyOf(record);
    this.#hostKeys.set(keyOf(id), { createdAt, privateKeyPem });
    return privateKeyPem;
  }

  #describe(record: ResourceRecord): JsonObject {
    const customData = nonEmptyStringAt(record.hidden, "customData");
    return {
      id: record.id,
      name: record.name,
      resourceGroup: record.id.split("/")[4] ?? "",
      location: nonEmptyStringAt(record.body, "location") ?? "",
      tags: members(record.body.tags),
      vmSize: nonEmptyStringAt(record.body, "properties", "hardwareProfile", "vmSize") ?? "",
      zones: record.body.zones ?? [],
      ...(customData ? { customData } : {}),
      powerState: powerStateOf(record),
      provisioningState: nonEmptyStringAt(record.body, "properties", "provisioningState") ?? "",
      privateIpAddresses: this.#addressesOf(record),
      subnetIds: this.#subnetsOf(record),
      createdAt: record.createdAt,
      sshHostKey: this.#hostKeyOf(record),
    };
  }

  #addressesOf(record: ResourceRecord): readonly string[] {
    return this.#ipConfigurationsOf(record).flatMap(
      (each) => nonEmptyStringAt(each, "properties", "privateIPAddress") ?? [],
    );
  }

  #subnetsOf(record: ResourceRecord): readonly string[] {
    return this.#ipConfigurationsOf(record).flatMap(
      (each) => nonEmptyStringAt(each, "properties", "subnet", "id") ?? [],
    );
  }

  #ipConfigurationsOf(record: ResourceRecord): readonly JsonObject[] {
    return networkInterfacesOf(record).flatMap((id) =>
      objectsAt(this.#subscription.resources.find(keyOf(id))?.body, "properties", "ipConfigurations"),
    );
  }
}
