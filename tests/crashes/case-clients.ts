import { ClientProbes } from "./client-probes.ts";
import type { CrashedInstance } from "./crashed-instance.ts";
import { HttpsClient } from "./https-client.ts";

const apiVersion = "api-version=2025-07-25";

/** Clients of the ARM API, the cluster "demo" and the portal of one instance. */
export class CaseClients implements AsyncDisposable {
  readonly arm: HttpsClient;
  readonly kube: HttpsClient;
  readonly #portal: HttpsClient;
  readonly #instance: CrashedInstance;
  readonly #subscriptionId: string;

  constructor(instance: CrashedInstance) {
    const { rp, portal, subscriptionId, ca } = instance.endpoints();
    this.#instance = instance;
    this.#subscriptionId = subscriptionId;
    this.arm = new HttpsClient(rp, { ca });
    this.#portal = new HttpsClient(portal, { ca }, false);
    this.kube = HttpsClient.ofKubeconfig(instance.kubeconfig());
  }

  cluster(name: string): string {
    return `/subscriptions/${this.#subscriptionId}/resourceGroups/${name}/providers/Microsoft.RedHatOpenShift/openShiftClusters/${name}?${apiVersion}`;
  }

  probe(): ClientProbes {
    return new ClientProbes({
      arm: (signal) => expect200(this.arm, this.cluster("demo"), signal),
      kube: (signal) => expect200(this.kube, "/api/v1/namespaces/default", signal),
      portal: (signal) => expect200(this.#portal, "/healthz/ready", signal),
      status: async () => this.#instance.requireServing(),
    });
  }

  async provisioningState(name: string, signal: AbortSignal): Promise<string> {
    const { status, body } = await this.arm.send("GET", this.cluster(name), signal);
    return status === 404 ? "absent" : body.properties.provisioningState;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of [this.arm, this.kube, this.#portal]) await client[Symbol.asyncDispose]();
  }
}

async function expect200(client: HttpsClient, path: string, signal: AbortSignal): Promise<void> {
  const { status } = await client.send("GET", path, signal);
  if (status !== 200) throw new Error(`${status}`);
}
