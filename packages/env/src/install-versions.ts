import { randomUUID } from "node:crypto";
import { create, replace, type Stored } from "@keelson/database";
import type { OpenShiftVersionDocument, ServiceDatabase } from "@keelson/model";

const partitionKey = "versions";

export interface WantedVersion {
  readonly version: string;
  readonly default: boolean;
}

/** Makes the stored OpenShift versions those of the configuration: adds, updates, disables. Idempotent. */
export async function reconcileVersions(
  database: ServiceDatabase,
  wanted: readonly WantedVersion[],
  signal: AbortSignal,
): Promise<void> {
  const versions = database.collections.versions;
  const { items } = await versions.list({ partitionKey, limit: 1000 }, signal);
  const byVersion = new Map(items.map((item) => [versionOf(item.document), item]));
  for (const each of wanted) {
    await put(byVersion.get(each.version), { ...each, enabled: true });
    byVersion.delete(each.version);
  }
  for (const [version, stored] of byVersion) await put(stored, { version, enabled: false, default: false });

  async function put(
    stored: Stored<OpenShiftVersionDocument> | undefined,
    next: WantedVersion & { enabled: boolean },
  ) {
    const current = stored?.document.openShiftVersion.properties;
    if (current && current.enabled === next.enabled && current.default === next.default) return;
    const document: OpenShiftVersionDocument = {
      ...(stored?.document ?? { id: randomUUID(), partitionKey }),
      openShiftVersion: { properties: { ...pullspecs(next.version), ...current, ...next } },
    };
    const write = stored ? replace(versions, stored, document) : create(versions, document);
    // Another process may have been quicker with the same configuration; then there is nothing left to do.
    await database.commit(partitionKey, [write], { signal });
  }
}

function versionOf(document: OpenShiftVersionDocument): string {
  return document.openShiftVersion.properties.version;
}

function pullspecs(version: string) {
  const minor = version.split(".").slice(0, 2).join(".");
  return {
    openShiftPullspec: `quay.io/openshift-release-dev/ocp-release:${version}-x86_64`,
    installerPullspec: `arointsvc.azurecr.io/aro-installer:${minor}`,
  };
}
