import { generateKeyPair } from "node:crypto";
import { promisify } from "node:util";
import { Secret } from "@keelson/base";
import type { ClusterProperties, OpenShiftCluster } from "@keelson/model";
import type { ClusterContext } from "../context.ts";
import { generateInfraId, generateStorageSuffix } from "../names.ts";

/** `cluster` with some of its properties set. */
export function withProperties(
  cluster: OpenShiftCluster,
  properties: Partial<ClusterProperties>,
): OpenShiftCluster {
  return { ...cluster, properties: { ...cluster.properties, ...properties } };
}

export async function ensureInfraID({ update }: ClusterContext): Promise<void> {
  await update((cluster) =>
    cluster.properties.infraId
      ? cluster
      : withProperties(cluster, { infraId: generateInfraId(cluster.name) }),
  );
}

const sshKeyBits = 2048;

/** The key of the machines' user `core`, RSA 2048 in PKCS#1 PEM. */
export async function ensureSSHKey({ cluster, update }: ClusterContext): Promise<void> {
  if (cluster.properties.sshKey) return;
  const { privateKey } = await promisify(generateKeyPair)("rsa", {
    modulusLength: sshKeyBits,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
  });
  const sshKey = new Secret(privateKey);
  await update((current) => (current.properties.sshKey ? current : withProperties(current, { sshKey })));
}

export async function ensureStorageSuffix({ update }: ClusterContext): Promise<void> {
  const storageSuffix = generateStorageSuffix();
  await update((cluster) =>
    cluster.properties.storageSuffix ? cluster : withProperties(cluster, { storageSuffix }),
  );
}

const largePacketsFeature = "Microsoft.RedHatOpenShift/MTU3900";

/** 3,900 bytes for subscriptions with the feature, 1,500 for all others. */
export async function populateMTUSize({ update, subscription }: ClusterContext): Promise<void> {
  const features = subscription.subscription.properties?.registeredFeatures ?? [];
  const large = features.some(
    ({ name, state }) => name.toLowerCase() === largePacketsFeature.toLowerCase() && state === "Registered",
  );
  const mtuSize = large ? 3900 : 1500;
  await update((cluster) => {
    const { networkProfile } = cluster.properties;
    if (networkProfile.mtuSize) return cluster;
    return withProperties(cluster, { networkProfile: { ...networkProfile, mtuSize } });
  });
}

/** Notes when the install began and which of its two phases is under way. */
export async function startInstall({ update, clock }: ClusterContext): Promise<void> {
  const now = clock.now().toISOString();
  await update((cluster) =>
    cluster.properties.install
      ? cluster
      : withProperties(cluster, { install: { now, phase: "InstallPhaseBootstrap" } }),
  );
}

/** The bootstrap is done: from here on any worker may go on with the second phase. */
export async function incrInstallPhase({ update }: ClusterContext): Promise<void> {
  await update((cluster) => {
    const { install } = cluster.properties;
    if (install?.phase !== "InstallPhaseBootstrap") return cluster;
    return withProperties(cluster, { install: { ...install, phase: "InstallPhaseRemoveBootstrap" } });
  });
}

export async function finishInstallation({ update }: ClusterContext): Promise<void> {
  await update((cluster) => {
    const { install, ...properties } = cluster.properties;
    return install ? { ...cluster, properties } : cluster;
  });
}
