import { listAt, numberAt, stringAt } from "@keelson/base";
import { findCondition, type KubeClient, resources } from "@keelson/kube";
import { processTree } from "../../scripts/process-table.ts";

/** Unexpected changes since the last observation. */
export interface HealthChanges {
  /** Restarted containers in the form `namespace/pod container`. Each restart has an entry. */
  readonly restarts: readonly string[];
  /** Roles of the component processes that exited. */
  readonly exits: readonly string[];
  /** ClusterOperators that became `Degraded`, each with its condition. Each change has an entry. */
  readonly degraded: readonly string[];
}

/**
 * Observes the cluster "demo" and the child processes of `keelson up`. A condition that was True only between two observations is
 * detected because its transition time changed.
 */
export class DemoHealth {
  readonly #kube: KubeClient;
  readonly #root: number;
  readonly #restarts = new Map<string, number>();
  readonly #transitions = new Map<string, string>();
  #components = new Map<number, string>();

  constructor(kube: KubeClient, root: number) {
    this.#kube = kube;
    this.#root = root;
  }

  async observe(signal: AbortSignal): Promise<HealthChanges> {
    return {
      exits: this.#exits(),
      restarts: await this.#containerRestarts(signal),
      degraded: await this.#degraded(signal),
    };
  }

  /** Returns the exited processes of the program. Ignores pods because they start and stop with clusters. */
  #exits(): readonly string[] {
    const now = new Map(
      processTree(this.#root)
        .filter(({ role }) => role.startsWith("keelson ") || role === "operators")
        .map(({ pid, role }) => [pid, role]),
    );
    const exits = [...this.#components].filter(([pid]) => !now.has(pid)).map(([, role]) => role);
    this.#components = now;
    return exits;
  }

  async #containerRestarts(signal: AbortSignal): Promise<readonly string[]> {
    const { items } = await this.#kube.list(resources.pods, {}, signal);
    return items.flatMap((pod) =>
      listAt(pod, "status", "containerStatuses").flatMap((status) => {
        const { uid, namespace, name } = pod.metadata;
        const key = `${uid} ${stringAt(status, "name")}`;
        const count = numberAt(status, "restartCount") ?? 0;
        const more = count - (this.#restarts.get(key) ?? count);
        this.#restarts.set(key, count);
        return Array.from(
          { length: Math.max(0, more) },
          () => `${namespace}/${name} ${stringAt(status, "name")}`,
        );
      }),
    );
  }

  async #degraded(signal: AbortSignal): Promise<readonly string[]> {
    const { items } = await this.#kube.list(resources.clusterOperators, {}, signal);
    return items.flatMap((operator) => {
      const { name } = operator.metadata;
      const condition = findCondition(operator, "Degraded");
      const time = stringAt(condition, "lastTransitionTime") ?? "";
      const before = this.#transitions.get(name);
      this.#transitions.set(name, time);
      const isDegraded = stringAt(condition, "status") === "True";
      if (before === time || (before === undefined && !isDegraded)) return [];
      const values = ["status", "reason", "message"].map((field) => stringAt(condition, field));
      return [[name, time, ...values].filter(Boolean).join(" ")];
    });
  }
}
