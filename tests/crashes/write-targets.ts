import { setTimeout as delay } from "node:timers/promises";
import type { HttpsClient } from "./https-client.ts";
import { Refused, type WriteTarget } from "./writer.ts";

const configMaps = "/api/v1/namespaces/default/configmaps";

interface ConfigMap {
  readonly metadata: { readonly name: string };
  readonly data?: { readonly name?: string };
}

/** Returns a target that creates ConfigMaps. `prefix` must be unique in the cluster. */
export function configMapWrites(kube: HttpsClient, prefix: string): WriteTarget {
  const names: string[] = [];
  let sent = 0;
  return {
    pauseMs: 50,
    async write(signal) {
      const name = `${prefix}-${sent++}`;
      const metadata = { name, labels: { writer: prefix } };
      const body = { apiVersion: "v1", kind: "ConfigMap", metadata, data: { name } };
      const { status } = await kube.send("POST", configMaps, signal, body);
      if (status !== 201) throw new Refused(`${status}`);
      names.push(name);
    },
    async readBack(signal) {
      const { body } = await kube.send("GET", `${configMaps}?labelSelector=writer%3D${prefix}`, signal);
      const items: readonly ConfigMap[] = body.items;
      const stored = new Set(items.map(({ data }) => data?.name));
      return names.filter((name) => !stored.has(name)).length;
    },
  };
}

/**
 * Returns a target that writes increasing numbers to a cluster's tag. Each write waits for the previous operation. Every read
 * must return the last acknowledged number or a later one.
 */
export async function tagWrites(arm: HttpsClient, path: string, signal: AbortSignal): Promise<WriteTarget> {
  const first = await arm.send("GET", path, signal);
  let sent = Number(first.body.tags?.crash ?? 0);
  let acknowledged = sent;
  let lost = 0;
  /** Waits until no operation is in flight. @throws Refused if an operation failed */
  const settled = async () => {
    for (;;) {
      signal.throwIfAborted();
      const response = await arm.send("GET", path, signal).catch(() => undefined);
      if (response?.status === 200) {
        if (Number(response.body.tags?.crash ?? 0) < acknowledged) lost++;
        const { provisioningState } = response.body.properties;
        if (provisioningState === "Failed") throw new Refused("update Failed");
        if (provisioningState === "Succeeded") return;
      }
      await delay(100, undefined, { signal });
    }
  };
  return {
    pauseMs: 200,
    async write() {
      const crash = `${++sent}`;
      try {
        const { status } = await arm.send("PATCH", path, signal, { tags: { crash } });
        if (status >= 300) throw new Refused(`${status}`);
        acknowledged = sent;
      } finally {
        // The service may have started an operation even if the response was lost.
        await settled();
      }
    },
    async readBack() {
      await settled();
      return lost;
    },
  };
}
