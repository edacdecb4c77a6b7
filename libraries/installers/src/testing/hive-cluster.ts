import { startApiServer } from "@keelson/apiserver";
import { createCertificateAuthority, issueCertificate, silentLogger, systemClock } from "@keelson/base";
import { connectKube, createKubeconfig, type KubeClient, resources } from "@keelson/kube";
import { hiveDefinitions } from "./hive-definitions.ts";

export interface HiveCluster extends AsyncDisposable {
  readonly kube: KubeClient;
}

/** Starts a cluster that has the parts of Hive's API that the service uses. Hive itself does not run. */
export async function startHiveCluster(signal: AbortSignal): Promise<HiveCluster> {
  await using stack = new AsyncDisposableStack();
  const authority = await createCertificateAuthority("hive", 1);
  const issue = (commonName: string, usage: "client" | "server") =>
    issueCertificate(authority, {
      commonName,
      usage,
      organizations: ["system:masters"],
      dnsNames: ["localhost"],
      ipAddresses: ["127.0.0.1"],
      validDays: 1,
    });
  const server = stack.use(
    await startApiServer({
      host: "127.0.0.1",
      port: 0,
      tls: await issue("localhost", "server"),
      storage: { kind: "memory" },
      logger: silentLogger,
      clock: systemClock,
    }),
  );
  const clientCertificateAuthorities = [authority.certificatePem];
  const { url } = await server.createCluster({ name: "hive", clientCertificateAuthorities });
  const user = await issue("keelson", "client");
  const kubeconfig = createKubeconfig({
    server: url,
    caPem: authority.certificatePem,
    clientCertificatePem: user.certificatePem,
    clientKeyPem: user.privateKeyPem,
    clusterName: "hive",
    userName: "keelson",
  });
  const kube = stack.use(connectKube({ kubeconfig, userAgent: "test", fieldManager: "keelson" }));
  for (const each of Object.values(hiveDefinitions()))
    await kube.create(resources.customResourceDefinitions, each, signal);
  for (const { kind, group } of [resources.clusterDeployments, resources.clusterProvisions])
    while (!(await kube.findResource(`${kind}.${group}`, signal))) await systemClock.sleep(20, signal);
  const running = stack.move();
  return { kube, [Symbol.asyncDispose]: () => running.disposeAsync() };
}
