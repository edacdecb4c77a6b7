import { setTimeout as delay } from "node:timers/promises";
import { listAt, Metrics, numberAt, silentLogger, systemClock } from "@keelson/base";
import { connectKube, type KubeClient, type KubeObject, resources } from "@keelson/kube";
import { operatorKey } from "@keelson/operator-kit";
import { installed } from "@keelson/sim-openshift/testing/installed-cluster";
import { namespaces } from "../config/namespaces.ts";
import { createKubeApiserverOperator } from "../kube-apiserver-operator.ts";
import { manifests } from "../manifests.ts";

const version = "4.19.24";
const operandImage = `quay.io/openshift-release-dev/ocp-v4.0-art-dev:${version}-hyperkube`;
const patienceMs = 900_000;

/**
 * Simulated cluster with three masters. Its release contains the operator's manifests. The operator runs in the test process with
 * its service account, so that the test can stop it at any time.
 */
export class OperatedCluster implements AsyncDisposable {
  /** Client of the administrator. */
  readonly admin: KubeClient;
  readonly signal = AbortSignal.timeout(900_000);
  readonly #world: Awaited<ReturnType<typeof installed>>;
  #operator:
    | { readonly stop: AbortController; readonly running: Promise<void>; readonly api: KubeClient }
    | undefined;

  private constructor(world: Awaited<ReturnType<typeof installed>>, admin: KubeClient) {
    this.#world = world;
    this.admin = admin;
  }

  static async start(): Promise<OperatedCluster> {
    const world = await installed({
      workers: 2,
      openShiftVersion: version,
      releasePayload: (release) => manifests({ ...release, image: "keelson:test", operandImage }),
    });
    const account = { namespace: "default", name: "test-administrator" };
    const bindings = { group: "rbac.authorization.k8s.io", version: "v1", resource: "clusterrolebindings" };
    await world.client.create(
      { group: "", version: "v1", resource: "serviceaccounts" },
      { apiVersion: "v1", kind: "ServiceAccount", metadata: account },
    );
    await world.client.create(bindings, {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRoleBinding",
      metadata: { name: account.name },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
      subjects: [{ kind: "ServiceAccount", ...account }],
    });
    const kubeconfig = await world.kubeconfigOf(account.namespace, account.name);
    return new OperatedCluster(world, connect(kubeconfig));
  }

  /** Starts a new operator. If an operator is running, it is stopped first. */
  async startOperator(): Promise<void> {
    await this.stopOperator();
    const account = await this.eventually(() =>
      this.#world.kubeconfigOf(namespaces.operator, "kube-apiserver-operator"),
    );
    const api = connect(account);
    const stop = new AbortController();
    const operator = createKubeApiserverOperator({
      api,
      images: { operand: operandImage, operator: "keelson:test", version },
      operandVersion: "1.32.9",
      build: "test",
      instance: "test",
      election: "none",
      minReadyMs: 0,
      metrics: new Metrics(),
      clock: systemClock,
      logger: silentLogger,
    });
    this.#operator = { stop, api, running: operator.run(stop.signal) };
  }

  async stopOperator(): Promise<void> {
    const operator = this.#operator;
    this.#operator = undefined;
    operator?.stop.abort();
    await operator?.running;
    await operator?.api[Symbol.asyncDispose]();
  }

  /** Returns a client with the credentials of an ordinary API client. */
  async connectClient(): Promise<KubeClient> {
    return connect(await this.#world.kubeconfigOf("default", "test-administrator"));
  }

  configuration(): Promise<KubeObject> {
    return this.admin.get(resources.kubeApiServers, operatorKey, this.signal);
  }

  async latestRevision(): Promise<number> {
    return numberAt(await this.configuration(), "status", "latestAvailableRevision") ?? 0;
  }

  /** Returns the current and the target revision of each node. If a node has no rollout in progress, its target revision is 0. */
  async nodeRevisions(): Promise<readonly (readonly [current: number, target: number])[]> {
    return listAt(await this.configuration(), "status", "nodeStatuses").map((node) => [
      numberAt(node, "currentRevision") ?? 0,
      numberAt(node, "targetRevision") ?? 0,
    ]);
  }

  async eventually<T>(check: () => Promise<T>): Promise<T> {
    for (const until = performance.now() + patienceMs; ; await delay(50)) {
      try {
        return await check();
      } catch (error) {
        if (performance.now() > until) throw error;
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await using _world = this.#world;
    await using _admin = this.admin;
    await this.stopOperator();
  }
}

function connect(kubeconfig: string): KubeClient {
  return connectKube({ kubeconfig, userAgent: "kube-apiserver-operator/test", fieldManager: "test" });
}
