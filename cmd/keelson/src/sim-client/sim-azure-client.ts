import { randomBytes } from "node:crypto";
import type { FaultInForce, Inventory } from "@keelson/sim-azure";
import { cliErrors } from "../output/cli-errors.ts";
import type { Endpoints } from "../state/endpoints.ts";
import { AdminConnection } from "./admin-connection.ts";
import type { FaultKinds } from "./sim-client.ts";

/** Fault of the simulated Azure, in the display format of cluster faults. */
export interface AzureFault {
  readonly id: string;
  readonly kind: string;
  readonly parameters: Readonly<Record<string, string | number>>;
  /** Number of requests that matched the fault. `injected` is the number of requests that failed because of the fault. */
  readonly matched: number;
  readonly injected: number;
}

export interface AzureTime {
  readonly now: string;
  /** Offset from the real clock, in milliseconds. */
  readonly aheadMs: number;
}

/** Client of the simulated Azure's admin API. */
export class SimAzureClient implements AsyncDisposable {
  readonly #connection: AdminConnection;

  constructor({ arm, caFile }: Endpoints, adminToken: string) {
    this.#connection = new AdminConnection(arm, caFile, adminToken);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection[Symbol.asyncDispose]();
  }

  async listFaults(): Promise<readonly AzureFault[]> {
    const { items }: { items: readonly FaultInForce[] } = JSON.parse(
      await this.#connection.call("GET", "/sim/faults"),
    );
    return items.map(({ name, fault: { kind, ...parameters }, matched, injected }) => {
      return { id: name, kind, parameters, matched, injected };
    });
  }

  async faultKinds(): Promise<FaultKinds> {
    return JSON.parse(await this.#connection.call("GET", "/sim/faults/kinds"));
  }

  /**
   * Injects a fault. `texts` contains the parameters as strings from the command line. Each parameter is converted to a number,
   * unless the fault kind declares it as a string.
   */
  async setFault(kind: string, texts: Readonly<Record<string, string>>): Promise<AzureFault> {
    const known = (await this.faultKinds())[kind]?.parameters ?? {};
    const parameters = Object.fromEntries(
      Object.entries(texts).map(([name, text]) => [
        name,
        known[name]?.type === "text" ? text : numberIn(text),
      ]),
    );
    const id = randomBytes(4).toString("hex");
    await this.#changeFaults({ [id]: { kind, ...parameters } });
    return { id, kind, parameters, matched: 0, injected: 0 };
  }

  /** Clears the fault `id`, or all faults if `id` is undefined. Returns the cleared faults. */
  async clearFaults(id?: string): Promise<readonly AzureFault[]> {
    const cleared = (await this.listFaults()).filter((each) => id === undefined || each.id === id);
    if (id !== undefined && cleared.length === 0) throw cliErrors.RequestFailed(`there is no fault ${id}`);
    await this.#changeFaults(Object.fromEntries(cleared.map((each) => [each.id, null])));
    return cleared;
  }

  async inventory(): Promise<Inventory> {
    return JSON.parse(await this.#connection.call("GET", "/sim/inventory"));
  }

  async time(): Promise<AzureTime> {
    return JSON.parse(await this.#connection.call("GET", "/sim/clock"));
  }

  async advanceClock(advanceMs: number): Promise<AzureTime> {
    return JSON.parse(await this.#connection.call("POST", "/sim/clock", { advanceMs }));
  }

  async resetClock(): Promise<AzureTime> {
    return JSON.parse(await this.#connection.call("DELETE", "/sim/clock"));
  }

  async #changeFaults(faults: Readonly<Record<string, object | null>>): Promise<void> {
    await this.#connection.call("PATCH", "/sim/settings", { faults });
  }
}

function numberIn(text: string): string | number {
  return /^\d{1,15}$/.test(text) ? Number(text) : text;
}
