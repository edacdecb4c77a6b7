import assert from "node:assert/strict";
import { listAt, numberAt, stringAt } from "@keelson/base";
import { type KubeObject, resources } from "@keelson/kube";
import { operatorKey } from "@keelson/operator-kit";
import type { KitCluster } from "@keelson/operator-kit/testing";
import { masterNames, type TestKubelets } from "./test-kubelets.ts";
import { conditionIn, inTarget } from "./test-operator.ts";

/** Observes the revisions of a cluster and their rollout. */
export class Rollout {
  readonly #cluster: KitCluster;
  readonly #kubelets: TestKubelets;

  constructor(cluster: KitCluster, kubelets: TestKubelets) {
    this.#cluster = cluster;
    this.#kubelets = kubelets;
  }

  configuration(): Promise<KubeObject> {
    return this.#cluster.api.get(resources.kubeApiServers, operatorKey, this.#cluster.signal);
  }

  async latest(): Promise<number> {
    return numberAt(await this.configuration(), "status", "latestAvailableRevision") ?? 0;
  }

  /** Waits until `isDone` no longer throws and all masters run the latest revision. */
  async finished(isDone: () => Promise<void> = async () => undefined): Promise<void> {
    await this.#cluster.eventually(async () => {
      await this.#kubelets.run();
      await isDone();
      const live = await this.configuration();
      const revision = numberAt(live, "status", "latestAvailableRevision");
      const nodes = listAt(live, "status", "nodeStatuses");
      assert.equal(nodes.length, masterNames.length);
      for (const node of nodes)
        assert.equal(numberAt(node, "currentRevision"), revision, JSON.stringify(live.status));
      assert.equal(conditionIn(live, "NodeInstallerProgressing").status, "False");
    });
  }

  /** Returns the `config.yaml` of a revision. */
  async configOf(revision: number): Promise<unknown> {
    return JSON.parse(stringAt(await this.#copy("config", revision), "data", "config.yaml") ?? "null");
  }

  async reasonOf(revision: number): Promise<string | undefined> {
    return stringAt(await this.#copy("revision-status", revision), "data", "reason");
  }

  #copy(name: string, revision: number): Promise<KubeObject> {
    const { api, signal } = this.#cluster;
    return api.get(resources.configMaps, inTarget(`${name}-${revision}`), signal);
  }
}
