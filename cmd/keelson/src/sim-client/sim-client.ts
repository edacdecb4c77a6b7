import type { Fault, FaultKind, FaultRequest, ImageRule } from "@keelson/sim-openshift";
import type { Endpoints } from "../state/endpoints.ts";
import { AdminConnection, type AdminMethod } from "./admin-connection.ts";

export type { Fault };

export type FaultKinds = Readonly<
  Record<
    string,
    {
      readonly description: string;
      readonly parameters: Readonly<
        Record<string, { readonly type: string; readonly required: boolean; readonly description: string }>
      >;
    }
  >
>;

/** Fault as entered on the command line. The simulated world validates its kind. */
type TypedFault = Omit<FaultRequest, "kind"> & { readonly kind: FaultKind | string };

/** Client of the simulated clusters' admin API. */
export class SimClient implements AsyncDisposable {
  readonly #connection: AdminConnection;

  constructor({ admin, caFile }: Endpoints, adminToken: string) {
    this.#connection = new AdminConnection(admin, caFile, adminToken);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection[Symbol.asyncDispose]();
  }

  async listFaults(): Promise<readonly Fault[]> {
    const { items }: { items: readonly Fault[] } = JSON.parse(await this.#connection.call("GET", "/faults"));
    return items;
  }

  async faultKinds(): Promise<FaultKinds> {
    return JSON.parse(await this.#connection.call("GET", "/faults/kinds"));
  }

  async setFault(fault: TypedFault): Promise<Fault> {
    return JSON.parse(await this.#connection.call("POST", "/faults", fault));
  }

  /** Clears the fault `id`, or all faults if `id` is undefined. Returns the cleared faults. */
  async clearFaults(id?: string): Promise<readonly Fault[]> {
    const path = id === undefined ? "/faults" : `/faults/${encodeURIComponent(id)}`;
    const { items }: { items: readonly Fault[] } = JSON.parse(await this.#connection.call("DELETE", path));
    return items;
  }

  listImageRules(): Promise<readonly ImageRule[]> {
    return this.#imageRules("GET", "/images");
  }

  async setImageRule(rule: Partial<ImageRule>): Promise<ImageRule> {
    return JSON.parse(await this.#connection.call("POST", "/images", rule));
  }

  /** Clears the image rules with a prefix, or all image rules, in one cluster or in all clusters. Returns the cleared rules. */
  clearImageRules(selected: Pick<Partial<ImageRule>, "prefix" | "cluster">): Promise<readonly ImageRule[]> {
    return this.#imageRules("DELETE", `/images?${new URLSearchParams(Object.entries(selected))}`);
  }

  async #imageRules(method: AdminMethod, path: string): Promise<readonly ImageRule[]> {
    const { items }: { items: readonly ImageRule[] } = JSON.parse(await this.#connection.call(method, path));
    return items;
  }
}
