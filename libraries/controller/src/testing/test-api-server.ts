import { type ControlPlane, startControlPlane, startEmbedded } from "@keelson/apiserver/testing";
import { connectKube, createKubeconfig, type KubeClient, type KubeOptions } from "@keelson/kube";

/** A Kubernetes API server of one test file, and clients of its administrator. */
export interface TestApiServer extends AsyncDisposable {
  readonly kubeconfig: string;
  /** The caller disposes of it. */
  connect(options?: Partial<KubeOptions>): KubeClient;
}

const assets = process.env.KUBEBUILDER_ASSETS;

/** What tests of controllers run against: this repository's API server, and a real one where there is one. */
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
  const kubeconfig = createKubeconfig({
    server: plane.url,
    caPem: plane.authority.certificatePem,
    clientCertificatePem: plane.admin.certificatePem,
    clientKeyPem: plane.admin.privateKeyPem,
    clusterName: "test",
    userName: "admin",
  });
  return {
    kubeconfig,
    connect: (options = {}) =>
      connectKube({ kubeconfig, userAgent: "controller-test/1", fieldManager: "test", ...options }),
    [Symbol.asyncDispose]: () => plane[Symbol.asyncDispose](),
  };
}
