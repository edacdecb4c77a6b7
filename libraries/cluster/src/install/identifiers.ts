import { generateKeyPair } from "node:crypto";
import { isDeepStrictEqual, promisify } from "node:util";
import { withNewerFlags } from "@keelson/aro-api";
import { Secret } from "@keelson/base";
import { withDefaults, withProperties } from "@keelson/model";
import type { ClusterContext } from "../context/context.ts";
import { generateInfraId, generateStorageSuffix } from "./generate-names.ts";

export async function ensureInfraID({ update }: ClusterContext): Promise<void> {
  await update((cluster) =>
    cluster.properties.infraId
      ? cluster
      : withProperties(cluster, { infraId: generateInfraId(cluster.name) }),
  );
}

/** Infrastructure ID of clusters from earlier releases, which did not generate infrastructure IDs. */
const oldInfraId = "aro";

export async function fixInfraID({ update }: ClusterContext): Promise<void> {
  await update((cluster) =>
    cluster.properties.infraId ? cluster : withProperties(cluster, { infraId: oldInfraId }),
  );
}

/** Sets defaults of fields and operator flags that older releases did not have. */
export async function ensureDefaults({ update }: ClusterContext): Promise<void> {
  await update((cluster) => {
    const complete = withDefaults(cluster);
    const operatorFlags = withNewerFlags(complete.properties.operatorFlags ?? {});
    const filled = withProperties(complete, { operatorFlags });
    return isDeepStrictEqual(filled, cluster) ? cluster : filled;
  });
}

const sshKeyBits = 2048;

/** Generates the SSH key of the machines' user `core`, an RSA key of 2,048 bits in PKCS#1 PEM. */
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

/** Generates the suffix for the names of the cluster's storage accounts. */
export async function ensureStorageSuffix({ update }: ClusterContext): Promise<void> {
  const fresh = generateStorageSuffix();
  await update((cluster) => {
    const { storageSuffix = fresh, imageRegistryStorageAccountName } = cluster.properties;
    if (imageRegistryStorageAccountName) return cluster;
    return withProperties(cluster, {
      storageSuffix,
      imageRegistryStorageAccountName: `imageregistry${storageSuffix}`,
    });
  });
}
