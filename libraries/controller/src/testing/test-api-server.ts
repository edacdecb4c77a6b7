import { type ControlPlane, startControlPlane, startEmbedded } from "@keelson/apiserver/testing";
import type { KeyPair } from "@keelson/base";
import { connectKube, createKubeconfig, type KubeClient, type KubeOptions } from "@keelson/kube";

/** Kubernetes API server of one test file, with administrator clients. */
export interface TestApiServer extends AsyncDisposable {
  readonly kubeconfig: string;
  /** Connects a new client. The caller must dispose of it. */
  connect(options?: Partial<KubeOptions>): KubeClient;
  /** Returns the kubeconfig of a user with the single group `system:authenticated`. */
  kubeconfigOf(userName: string): Promise<string>;
}

const assets = process.env.KUBEBUILDER_ASSETS;

/** API servers for controller tests: the API server of this repository and, if available, a real kube-apiserver. */
export const apiServers: readonly { readonly name: string; start(): Promise<TestApiServer> }[] = [
  { name: "embedded", start: async () => testApiServer(await startEmbedded()) },
  ...(assets === undefined
    ? []
    : [
        {
          name: "kube-apiserver",
          start: async () => testApiServer(await startControlPlane(assets, { serviceAccounts: true })),
        },
      ]),
];

function testApiServer(plane: ControlPlane): TestApiServer {
  const kubeconfigFor = (userName: string, { certificatePem, privateKeyPem }: KeyPair) =>
    createKubeconfig({
      server: plane.url,
      caPem: plane.authority.certificatePem,
      clientCertificatePem: certificatePem,
      clientKeyPem: privateKeyPem,
      clusterName: "test",
      userName,
    });
  const kubeconfig = kubeconfigFor("admin", plane.admin);
  return {
    kubeconfig,
    connect: (options = {}) =>
      connectKube({ kubeconfig, userAgent: "controller-test/1", fieldManager: "test", ...options }),
    kubeconfigOf: async (userName) => kubeconfigFor(userName, await plane.user({ commonName: userName })),
    [Symbol.asyncDispose]: () => plane[Symbol.asyncDispose](),
  };
}
