import { cliErrors } from "../output/cli-errors.ts";
import type { Endpoints } from "../state/endpoints.ts";
import type { Restored, Snapshot } from "../state/snapshot.ts";
import { AdminConnection } from "./admin-connection.ts";

/** Time limit of one operation. A restore of hundreds of clusters takes minutes on a busy machine. */
const operationMs = 600_000;

/** Client of an instance's control API. */
export class SnapshotClient implements AsyncDisposable {
  readonly #connection: AdminConnection;

  /** @throws NotRunning if the instance has no control API */
  constructor({ control, caFile }: Pick<Endpoints, "control" | "caFile">, adminToken: string) {
    if (control === undefined)
      throw cliErrors.NotRunning(
        "This instance has no snapshots: it uses `--cosmos-port` or `--machines`, or an earlier release started it. Restart it with `keelson up`, or with `keelson sim` without these options.",
      );
    this.#connection = new AdminConnection(control, caFile, adminToken, operationMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection[Symbol.asyncDispose]();
  }

  async list(): Promise<readonly Snapshot[]> {
    const { items }: { items: readonly Snapshot[] } = JSON.parse(
      await this.#connection.call("GET", "/snapshots"),
    );
    return items;
  }

  async save(name: string, replace: boolean): Promise<Snapshot> {
    return JSON.parse(
      await this.#connection.call("PUT", `/snapshots/${name}${replace ? "?replace=true" : ""}`),
    );
  }

  async restore(name: string): Promise<Restored> {
    return JSON.parse(await this.#connection.call("POST", `/snapshots/${name}/restore`));
  }

  async remove(name: string): Promise<Snapshot> {
    return JSON.parse(await this.#connection.call("DELETE", `/snapshots/${name}`));
  }

  async reset(): Promise<Restored> {
    return JSON.parse(await this.#connection.call("POST", "/reset"));
  }
}
