import { listAt, stringAt } from "@keelson/base";
import { type KubeObject, resources } from "@keelson/kube";
import type { KitCluster } from "@keelson/operator-kit/testing";
import { namespaces } from "../config/namespaces.ts";

const namespace = namespaces.target;
export const masterNames = ["master-0", "master-1", "master-2"];
const ready = { type: "Ready", status: "True", lastTransitionTime: "2026-01-01T00:00:00Z" };

/** Creates the nodes of three masters. */
export async function addMasters({ put }: KitCluster): Promise<void> {
  for (const name of masterNames)
    await put(resources.nodes, {
      metadata: { name, labels: { "node-role.kubernetes.io/master": "" } },
      status: { conditions: [ready], nodeInfo: { kubeletVersion: "v1.32.9" } as never },
    });
}

/** Simulates kubelets. They run installer and pruner pods, and then the static pod that an installer has written. */
export class TestKubelets {
  readonly #cluster: KitCluster;
  /** Revisions of the three API servers after each change. `undefined` for an API server that does not run. */
  readonly history: (readonly (string | undefined)[])[] = [];
  /** Failure message of every installer pod. Undefined if installer pods succeed. */
  installerFailure: string | undefined;

  constructor(cluster: KitCluster) {
    this.#cluster = cluster;
  }

  /** Processes all pods once. */
  async run(): Promise<void> {
    for (const pod of await this.#pods("app in (installer, pruner)")) {
      const phase = stringAt(pod, "status", "phase");
      if (phase === "Succeeded" || phase === "Failed") continue;
      const isInstaller = pod.metadata.labels?.app === "installer";
      if (isInstaller && this.installerFailure !== undefined) {
        await this.#setStatus(pod, failed(this.installerFailure));
        continue;
      }
      await this.#setStatus(pod, { phase: "Succeeded" });
      if (isInstaller) await this.#install(pod);
    }
  }

  /** Starts the API servers that a new cluster has after bootstrapping. */
  async bootstrap(): Promise<void> {
    for (const node of masterNames) await this.#runOperand(node, "0");
  }

  async #install(installer: KubeObject): Promise<void> {
    const { api, signal } = this.#cluster;
    const node = stringAt(installer, "spec", "nodeName") ?? "";
    const revision = listAt(listAt(installer, "spec", "containers")[0], "args")
      .map(String)
      .find((each) => each.startsWith("--revision="))
      ?.slice("--revision=".length);
    const name = `kube-apiserver-${node}`;
    await api
      .delete(resources.pods, { namespace, name }, signal, { gracePeriodSeconds: 0 })
      .catch(() => undefined);
    await this.#record();
    await this.#runOperand(node, revision ?? "");
    await this.#record();
  }

  async #runOperand(node: string, revision: string): Promise<void> {
    const { put } = this.#cluster;
    const name = `kube-apiserver-${node}`;
    const image = "hyperkube:1";
    await put(resources.pods, {
      metadata: {
        namespace,
        name,
        labels: { app: "openshift-kube-apiserver", apiserver: "true", revision },
        // This annotation marks a static pod, which has no service account.
        annotations: { "kubernetes.io/config.mirror": `revision-${revision}` },
      },
      spec: {
        nodeName: node,
        containers: [{ name: "kube-apiserver", image }],
        terminationGracePeriodSeconds: 0,
      },
      status: {
        phase: "Running",
        podIP: `10.0.0.${7 + masterNames.indexOf(node)}`,
        conditions: [ready],
        containerStatuses: [
          {
            name: "kube-apiserver",
            image,
            imageID: "",
            ready: true,
            restartCount: 0,
            state: { running: { startedAt: ready.lastTransitionTime } },
          },
        ],
      },
    });
  }

  async #record(): Promise<void> {
    const pods = await this.#pods("apiserver=true");
    this.history.push(
      masterNames.map(
        (node) =>
          pods.find(({ metadata }) => metadata.name === `kube-apiserver-${node}`)?.metadata.labels?.revision,
      ),
    );
  }

  async #pods(labelSelector: string): Promise<readonly KubeObject[]> {
    const { api, signal } = this.#cluster;
    return (await api.list(resources.pods, { namespace, labelSelector }, signal)).items;
  }

  async #setStatus({ metadata: { name } }: KubeObject, status: object): Promise<void> {
    const { api, signal } = this.#cluster;
    await api.mergePatch(resources.pods, { namespace, name }, { status }, signal, "status");
  }
}

function failed(message: string): object {
  const terminated = { exitCode: 1, message };
  const container = { name: "installer", image: "i", imageID: "", ready: false, restartCount: 0 };
  return { phase: "Failed", containerStatuses: [{ ...container, state: { terminated } }] };
}
