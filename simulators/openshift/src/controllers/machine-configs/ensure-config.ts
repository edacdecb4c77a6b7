import type { ClusterClient, KubeObject } from "@keelson/apiserver";
import { canonicalJson } from "../../base/canonical-json.ts";
import { ensureObject } from "../../base/objects.ts";
import { resources } from "../../base/resources.ts";
import { releaseVersionOf } from "./names.ts";

/** Creates or updates a generated MachineConfig. Labels and annotations that `wanted` does not contain remain. */
export async function ensureConfig(client: ClusterClient, wanted: KubeObject): Promise<void> {
  const live = await client.find(resources.machineConfigs, { name: wanted.metadata.name });
  if (!live) {
    await ensureObject(client, resources.machineConfigs, wanted);
    return;
  }
  const same =
    releaseVersionOf(live) === releaseVersionOf(wanted) &&
    canonicalJson(live.spec) === canonicalJson(wanted.spec);
  if (same) return;
  const { labels, annotations } = wanted.metadata;
  await client.update(resources.machineConfigs, {
    ...live,
    metadata: {
      ...live.metadata,
      labels: { ...live.metadata.labels, ...labels },
      annotations: { ...live.metadata.annotations, ...annotations },
    },
    spec: wanted.spec,
  });
}
