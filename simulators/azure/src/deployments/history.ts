import type { JsonObject } from "@keelson/base";
import type { Store, Table } from "../store/store.ts";
import type { Deployer } from "./arm-calls.ts";
import { type Deployment, type DeploymentOperation, isOver } from "./deployment.ts";

/**
 * Saved state of a deployment in progress, from which a restarted process resumes the deployment. It contains secret parameters
 * and is deleted when the deployment ends.
 */
export interface DeploymentWork {
  readonly id: string;
  readonly runId: string;
  readonly deployer: Deployer;
  readonly parameters: JsonObject;
}

/** Deployment history of the subscription and its groups. `quota.ts` defines its limits. Writes must run in transactions. */
export class DeploymentHistory {
  readonly #deployments: Table<Deployment>;
  readonly #templates: Table<JsonObject>;
  readonly #work: Table<DeploymentWork>;
  /** Sizes of large values, as number of characters in JSON. */
  readonly #sizes = new WeakMap<JsonObject, number>();

  constructor(store: Store) {
    this.#deployments = store.table("deployment");
    this.#templates = store.table("deploymentTemplate");
    this.#work = store.table("deploymentWork");
  }

  find(id: string): Deployment | undefined {
    return this.#deployments.get(id.toLowerCase());
  }

  templateOf(id: string): JsonObject | undefined {
    return this.#templates.get(id.toLowerCase());
  }

  /** Returns the deployments directly at a scope. For a subscription, deployments of its groups are not included. */
  below(scope: string): readonly Deployment[] {
    const prefix = `${scope}/providers/`.toLowerCase();
    return [...this.#deployments.values()].filter(({ id }) => id.toLowerCase().startsWith(prefix));
  }

  findRun(runId: string): Deployment | undefined {
    return [...this.#deployments.values()].find((each) => each.runId === runId);
  }

  /** Returns the entries in progress of one run: the deployment itself and its nested deployments. */
  partsOf({ correlationId }: Deployment): readonly Deployment[] {
    return [...this.#deployments.values()].filter(
      (each) => each.correlationId === correlationId && !isOver(each),
    );
  }

  begin(deployment: Deployment, template: JsonObject, work?: DeploymentWork): void {
    const key = deployment.id.toLowerCase();
    this.#deployments.set(key, deployment);
    this.#templates.set(key, template);
    if (work) this.#work.set(key, work);
  }

  work(): readonly DeploymentWork[] {
    return [...this.#work.values()];
  }

  /**
   * Updates a deployment if `runId` is still the deployment's current run. Does nothing if the deployment has been deleted or
   * replaced by a new run.
   */
  change(runId: string, id: string, changes: Partial<Deployment>): void {
    const found = this.find(id);
    if (found?.runId === runId) this.#deployments.set(id.toLowerCase(), { ...found, ...changes });
  }

  /** Adds an operation to a deployment. An operation with the same ID is replaced. */
  record(runId: string, id: string, operation: DeploymentOperation): void {
    const operations = this.find(id)?.operations ?? [];
    const at = operations.findIndex((each) => each.id === operation.id);
    this.change(runId, id, {
      operations: at < 0 ? [...operations, operation] : operations.with(at, operation),
    });
  }

  endWork(runId: string, id: string): void {
    if (this.#work.get(id.toLowerCase())?.runId === runId) this.#work.delete(id.toLowerCase());
  }

  delete(id: string): void {
    for (const table of [this.#deployments, this.#templates, this.#work]) table.delete(id.toLowerCase());
  }

  /** Deletes the oldest completed deployments until the total size is at most `bytes`. */
  trimTo(bytes: number): void {
    let left = [...this.#deployments.values()].reduce((sum, each) => sum + this.#bytesOf(each), 0);
    if (left <= bytes) return;
    const oldest = [...this.#deployments.values()].filter(isOver);
    for (const each of oldest.toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : 1))) {
      if (left <= bytes) return;
      left -= this.#bytesOf(each);
      this.delete(each.id);
    }
  }

  #bytesOf({ id, parameters, outputs }: Deployment): number {
    const parts = [this.templateOf(id), parameters, outputs];
    return parts.reduce((sum, each) => sum + (each ? this.#sizeOf(each) : 0), 0);
  }

  #sizeOf(value: JsonObject): number {
    const size = this.#sizes.get(value) ?? JSON.stringify(value).length;
    this.#sizes.set(value, size);
    return size;
  }

  /** Deletes all deployments of a group when the group is deleted. */
  deleteBelow(scope: string): void {
    for (const { id } of this.below(scope)) this.delete(id);
  }
}
