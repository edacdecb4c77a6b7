import type { ApiServer, ClusterClient, KubeObject, LogicalCluster } from "@keelson/apiserver";
import { isCoded, type Logger, stringAt } from "@keelson/base";
import { timestamp } from "@keelson/controller";
import { resourceOf } from "../apis/served/resource-names.ts";
import { ensureServiceAuthority } from "../apis/service-ca/service-ca.ts";
import { configMap } from "../base/data-objects.ts";
import { stringMapAt } from "../base/fields.ts";
import { ensureObject } from "../base/objects.ts";
import { resources } from "../base/resources.ts";
import { controllerConfig } from "../controllers/machine-configs/controller.ts";
import { openShiftCrds } from "../crds/openshift-crds.ts";
import type { ClusterPayload } from "../payload/cluster-payload.ts";
import { type FeatureSet, parseFeatureSet } from "../release/feature-set.ts";
import { authoritySeeds, ensureAuthorities } from "../settings/authorities.ts";
import type { BootConfiguration } from "../settings/boot-configuration.ts";
import { type ClusterSettings, parseSettings } from "../settings/cluster-settings.ts";
import { apiSeeds } from "./seeds/apis.ts";
import { cloudSeeds } from "./seeds/cloud.ts";
import { componentSeeds } from "./seeds/components.ts";
import { configSeeds } from "./seeds/config.ts";
import { credentialsSeeds } from "./seeds/credentials.ts";
import { namespaceSeeds } from "./seeds/namespaces.ts";
import { operatorSeeds } from "./seeds/operators.ts";

/**
 * ConfigMap that marks a simulated cluster and stores its settings. Real OpenShift stores its install configuration in this
 * ConfigMap.
 */
const settingsKey = { namespace: "kube-system", name: "cluster-config-v1" };
const settingsMember = "cluster.json";

/**
 * ConfigMap written after all other objects of a new cluster. It marks a complete installation. Real OpenShift clusters contain
 * this ConfigMap too.
 */
const manifestsKey = { namespace: "openshift-config", name: "openshift-install-manifests" };

export interface Installation {
  readonly boot: BootConfiguration;
  /** Release payload to apply later. */
  readonly payload: ClusterPayload;
  /** Adds OpenShift's APIs to the API server. */
  readonly serve: (cluster: LogicalCluster, settings: ClusterSettings) => void;
  readonly logger: Logger;
}

/**
 * Creates an API server with OpenShift's kinds, the installer's manifests and further release objects. Called for the first time
 * when the bootstrap machine boots. A repeated call completes an interrupted installation.
 */
export async function installCluster(
  apiServer: ApiServer,
  { boot, payload, serve, logger }: Installation,
): Promise<LogicalCluster> {
  const { settings, serviceAccounts } = boot;
  const cluster =
    apiServer.findCluster(settings.infraId) ??
    (await apiServer.createCluster({
      name: settings.infraId,
      clientCertificateAuthorities: settings.clientCertificateAuthorities,
      gitVersion: `v${settings.kubernetesVersion}`,
      ...(serviceAccounts
        ? {
            serviceAccountIssuer: serviceAccounts.issuer,
            serviceAccountKey: serviceAccounts.signingKey.reveal(),
          }
        : {}),
    }));
  serve(cluster, settings);
  const crds = boot.manifests.filter(({ kind }) => kind === "CustomResourceDefinition");
  const manifests = servedManifests(boot.manifests, crds, logger);
  const ensure = (object: KubeObject) => ensureObject(cluster.client, resourceOf(object, crds), object);
  const ensureAll = (objects: readonly KubeObject[]) => Promise.all(objects.map(ensure));

  await ensureAll(namespaceSeeds());
  // Starts the creation of the seed objects early, because the generation of their keys is slow.
  const seeds = seedsOf(boot, cluster);
  await ensure(
    configMap(settingsKey.namespace, settingsKey.name, {
      [settingsMember]: JSON.stringify(settings),
      ...stringMapAt(manifests.find(isInstallConfig), "data"),
    }),
  );
  await ensureAll(openShiftCrds(featureSetOf(manifests)));
  await ensureAll(namespacesOf(manifests));
  for (const manifest of manifests) await ensure(manifest);
  // Skips Deployments that the release payload contains. The selectors of Deployments are immutable, so only the payload may
  // create these Deployments.
  const played = (await seeds).filter(
    (seed) => seed.kind !== "Deployment" || !payload.brings(settings.openShiftVersion, seed),
  );
  await ensureAll(played);
  await publishRequestHeaders(cluster.client);
  await ensure(
    configMap(manifestsKey.namespace, manifestsKey.name, {
      invoker: "hive",
      version: settings.openShiftVersion,
    }),
  );
  return cluster;
}

/**
 * Returns the manifests with kinds that the cluster serves. All other manifests are skipped and logged, because the simulation
 * lacks the operators that read them.
 */
function servedManifests(
  manifests: readonly KubeObject[],
  crds: readonly KubeObject[],
  logger: Logger,
): readonly KubeObject[] {
  return manifests.filter((manifest) => {
    try {
      resourceOf(manifest, crds);
      return true;
    } catch (error) {
      if (!isCoded(error, "UnknownKind")) throw error;
      logger.warn({ error: error.message }, "manifest of the installer skipped");
      return false;
    }
  });
}

/** Returns the namespaces of the manifests. On real clusters, the release creates them. */
function namespacesOf(manifests: readonly KubeObject[]): readonly KubeObject[] {
  const names = new Set(manifests.flatMap(({ metadata }) => metadata.namespace ?? []));
  return [...names].map((name) => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } }));
}

/** Returns the initial objects that the release creates in a new cluster, except namespaces and kinds. */
export async function seedsOf(
  boot: BootConfiguration,
  cluster: Pick<LogicalCluster, "client" | "tokenSigningKey" | "trust" | "url">,
): Promise<readonly KubeObject[]> {
  const { settings, signers } = boot;
  const [authorities, trusted, tokenSigningKey] = await Promise.all([
    ensureAuthorities(cluster.client, signers),
    cluster.trust(),
    cluster.tokenSigningKey(),
    ensureServiceAuthority(cluster.client),
  ]);
  const configs = configSeeds(settings);
  return [
    ...apiSeeds(cluster.url, timestamp(new Date())),
    ...cloudSeeds(settings),
    ...configs,
    ...operatorSeeds(settings),
    ...credentialsSeeds(),
    ...(await componentSeeds(settings)),
    ...(await authoritySeeds(settings, trusted, authorities, tokenSigningKey)),
    controllerConfig(settings.openShiftVersion, {
      dns: kindIn(configs, "DNS"),
      infrastructure: kindIn(configs, "Infrastructure"),
      rootAuthorityPem: authorities.root.certificatePem,
      servingAuthorityPem: trusted.servingAuthorityPem,
    }),
  ];
}

function isInstallConfig({ kind, metadata: { namespace, name } }: KubeObject): boolean {
  return kind === "ConfigMap" && namespace === settingsKey.namespace && name === settingsKey.name;
}

function kindIn(objects: readonly KubeObject[], kind: string): KubeObject {
  const found = objects.find((each) => each.kind === kind);
  if (!found) throw new TypeError(`there is no ${kind} among the seeds`);
  return found;
}

/**
 * Returns the settings of a simulated cluster, even if its installation is incomplete. `undefined` if the cluster is not
 * simulated by this package.
 */
export async function readSettings(client: ClusterClient): Promise<ClusterSettings | undefined> {
  const stored = stringAt(await client.find(resources.configMaps, settingsKey), "data", settingsMember);
  return stored === undefined ? undefined : parseSettings(JSON.parse(stored));
}

export async function isInstalled(client: ClusterClient): Promise<boolean> {
  return (await client.find(resources.configMaps, manifestsKey)) !== undefined;
}

/**
 * Publishes the request headers by which the API server authenticates to aggregated API servers (K/apiserver pkg/server/options,
 * authentication).
 */
async function publishRequestHeaders(client: ClusterClient): Promise<void> {
  const { aggregator } = await ensureAuthorities(client);
  const list = (...values: readonly string[]) => JSON.stringify(values);
  const key = { namespace: "kube-system", name: "extension-apiserver-authentication" };
  const names = ["kube-apiserver-proxy", "system:kube-apiserver-proxy", "system:openshift-aggregator"];
  await client.mergePatch(resources.configMaps, key, {
    data: {
      "requestheader-allowed-names": list(...names),
      "requestheader-client-ca-file": aggregator.certificatePem,
      "requestheader-extra-headers-prefix": list("X-Remote-Extra-"),
      "requestheader-group-headers": list("X-Remote-Group"),
      "requestheader-username-headers": list("X-Remote-User"),
    },
  });
}

/** Returns the feature set in the installer's manifests. */
function featureSetOf(manifests: readonly KubeObject[]): FeatureSet {
  const featureGate = manifests.find(
    ({ kind, metadata }) => kind === "FeatureGate" && metadata.name === "cluster",
  );
  return parseFeatureSet(stringAt(featureGate, "spec", "featureSet"));
}
