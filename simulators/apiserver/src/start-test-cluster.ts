import { createCertificateAuthority, issueCertificate, silentLogger, systemClock } from "@keelson/base";
import { createKubeconfig } from "@keelson/kube";
import type { ApiServer } from "./api-server.ts";
import type { LogicalCluster } from "./cluster/logical-cluster.ts";
import { startApiServer } from "./start-api-server.ts";

export interface TestClusterOptions {
  /** Name of the cluster. Default: `test`. */
  readonly name?: string;
  /** Listener address. Default: 127.0.0.1. */
  readonly host?: string;
  /** Port of the listener. Default: a free port. */
  readonly port?: number;
  /** Validity of the certificates in days. Default: 7. */
  readonly validDays?: number;
  /**
   * True to run the controllers of kube-controller-manager. If false, no controllers run, as in controller-runtime's envtest.
   * Default: true.
   */
  readonly controllerManager?: boolean;
}

/** Running API server with one cluster in memory. Disposal stops the server and deletes the cluster. */
export interface TestCluster extends AsyncDisposable {
  readonly server: ApiServer;
  readonly cluster: LogicalCluster;
  /** In-process client of an administrator. */
  readonly client: LogicalCluster["client"];
  /** URL of the API. The cluster is served at the root, like a kube-apiserver. */
  readonly url: string;
  /** Kubeconfig of a member of `system:masters`, in YAML. */
  readonly kubeconfig: string;
  /** CA certificate of the server. */
  readonly caPem: string;
}

const daysOfTests = 7;

/** Starts an API server with one empty cluster in memory, for tests. @throws CodedError PortTaken, InvalidClusterName */
export async function startTestCluster(options: TestClusterOptions = {}): Promise<TestCluster> {
  const { name = "test", host = "127.0.0.1", port = 0, validDays = daysOfTests, controllerManager } = options;
  const authority = await createCertificateAuthority("keelson test cluster", validDays);
  const [tls, admin] = await Promise.all([
    issueCertificate(authority, {
      commonName: "localhost",
      dnsNames: ["localhost"],
      ipAddresses: ["127.0.0.1"],
      usage: "server",
      validDays,
    }),
    issueCertificate(authority, {
      commonName: "kubernetes-admin",
      organizations: ["system:masters"],
      usage: "client",
      // fabric8's Kubernetes client reads only RSA keys in PKCS #8.
      keyType: "rsa",
      validDays,
    }),
  ]);
  await using stack = new AsyncDisposableStack();
  const server = stack.use(
    await startApiServer({
      host,
      port,
      tls,
      certificateAuthorityPem: authority.certificatePem,
      rootCluster: name,
      storage: { kind: "memory" },
      ...(controllerManager === undefined ? {} : { controllerManager }),
      logger: silentLogger,
      clock: systemClock,
    }),
  );
  const caPem = authority.certificatePem;
  const cluster = await server.createCluster({ name, clientCertificateAuthorities: [caPem] });
  const url = `https://localhost:${server.port}`;
  const kubeconfig = createKubeconfig({
    server: url,
    caPem,
    clientCertificatePem: admin.certificatePem,
    clientKeyPem: admin.privateKeyPem,
    clusterName: name,
    userName: "admin",
  });
  const running = stack.move();
  const { client } = cluster;
  return {
    server,
    cluster,
    client,
    url,
    kubeconfig,
    caPem,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
