import { startApiServer } from "@keelson/apiserver";
import { createCertificateAuthority, issueCertificate, silentLogger, systemClock } from "@keelson/base";
import {
  apiVersionOf,
  connectKube,
  createKubeconfig,
  type KubeClient,
  type KubeResource,
  resources,
} from "@keelson/kube";

export interface HiveCluster extends AsyncDisposable {
  readonly kube: KubeClient;
}

/** A cluster that has Hive's kinds, as far as the service uses them, and no Hive. */
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
  await define(kube, resources.clusterDeployments, deploymentSchema, signal);
  await define(kube, resources.clusterProvisions, provisionSchema, signal);
  const running = stack.move();
  return { kube, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

const text = { type: "string" };
const flag = { type: "boolean" };
const reference = { type: "object", required: ["name"], properties: { name: text } };
const object = (properties: object, required: readonly string[] = []) => ({
  type: "object",
  required,
  properties,
});

/** Refuses changes as Hive's admission webhook does. */
const immutable = (properties: object) => ({
  ...object(properties),
  "x-kubernetes-validations": [
    { rule: "self == oldSelf", message: "Attempted to change ClusterDeployment.Spec" },
  ],
});

/** What a ClusterDeployment may have; anything else is refused by the strict writes of the test. */
const deploymentSchema = object({
  spec: object(
    {
      baseDomain: text,
      clusterName: text,
      installed: flag,
      installAttemptsLimit: { type: "integer" },
      manageDNS: flag,
      preserveOnDelete: flag,
      pullSecretRef: reference,
      boundServiceAccountSigningKeySecretRef: reference,
      clusterMetadata: object({ adminKubeconfigSecretRef: reference, clusterID: text, infraID: text }, [
        "infraID",
      ]),
      controlPlaneConfig: object({ apiServerIPOverride: text, apiURLOverride: text }),
      platform: object({
        azure: object({ baseDomainResourceGroupName: text, region: text, credentialsSecretRef: reference }, [
          "region",
        ]),
      }),
      provisioning: immutable({
        installerImageOverride: text,
        releaseImage: text,
        installConfigSecretRef: reference,
        manifestsSecretRef: reference,
        installerEnv: {
          type: "array",
          items: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        },
      }),
    },
    ["baseDomain", "clusterName", "platform"],
  ),
  status: object({
    conditions: { type: "array", items: object({ type: text, status: text, reason: text, message: text }) },
  }),
});

const provisionSchema = object({
  spec: object({
    attempt: { type: "integer" },
    stage: { type: "string", enum: ["initializing", "provisioning", "complete", "failed"] },
    installLog: text,
  }),
});

async function define(
  kube: KubeClient,
  resource: KubeResource,
  openAPIV3Schema: object,
  signal: AbortSignal,
): Promise<void> {
  const { group, version, plural, kind } = resource;
  await kube.create(
    resources.customResourceDefinitions,
    {
      apiVersion: apiVersionOf(resources.customResourceDefinitions),
      kind: "CustomResourceDefinition",
      metadata: { name: `${plural}.${group}` },
      spec: {
        group,
        scope: "Namespaced",
        names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
        versions: [
          {
            name: version,
            served: true,
            storage: true,
            schema: { openAPIV3Schema },
            subresources: { status: {} },
          },
        ],
      },
    },
    signal,
  );
  while (!(await kube.findResource(`${kind}.${group}`, signal))) await systemClock.sleep(20, signal);
}
