import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import type { KubeObject } from "@keelson/apiserver";
import { listAt, messageOf, stringAt, valueAt } from "@keelson/base";
import { PodToken } from "../containers/pod-token.ts";
import { PayloadDirectory } from "./payload-directory.ts";
import { directoryOf, filledSources } from "./pod-volumes.ts";
import { contentOf } from "./volume-content.ts";
import type { VolumeDeps } from "./volume-deps.ts";

/** Interval between volume checks in milliseconds: the kubelet's `syncFrequency`. */
const syncMs = 60_000;

interface FilledVolume {
  readonly payload: PayloadDirectory;
  readonly sources: readonly { readonly source: unknown; readonly token: PodToken }[];
}

/**
 * Directories of a pod's volumes with content from the kubelet: ConfigMaps, Secrets, pod fields and tokens. The content is read
 * again every minute. If it has changed, all files of the volume are replaced atomically. A `subPath` mount keeps its original
 * content. All methods can be called repeatedly.
 */
export class FilledVolumes {
  readonly #deps: VolumeDeps;
  #volumes: readonly FilledVolume[] = [];
  #filled: Promise<void> | undefined;
  #syncing: Promise<void> | undefined;
  #syncAtMs = Number.POSITIVE_INFINITY;

  constructor(deps: VolumeDeps) {
    this.#deps = deps;
  }

  /** Creates and fills all volume directories once. The call can be repeated after a failure. */
  fill(pod: KubeObject): Promise<void> {
    this.#filled ??= this.#fill(pod).catch((error: unknown) => {
      this.#filled = undefined;
      throw error;
    });
    return this.#filled;
  }

  /**
   * Updates changed content every minute. Returns the milliseconds until the next update. `undefined` before the volumes are
   * filled.
   */
  async sync(pod: KubeObject): Promise<number | undefined> {
    if (this.#nowMs() >= this.#syncAtMs) {
      this.#syncing ??= this.#sync(pod).finally(() => {
        this.#syncing = undefined;
      });
      await this.#syncing;
    }
    return Number.isFinite(this.#syncAtMs) ? this.#syncAtMs - this.#nowMs() : undefined;
  }

  async #fill(pod: KubeObject): Promise<void> {
    const volumes: FilledVolume[] = [];
    for (const volume of listAt(pod, "spec", "volumes")) {
      const directory = await directoryOf(pod, volume, this.#deps);
      if (stringAt(volume, "hostPath", "type")?.startsWith("File")) {
        await mkdir(dirname(directory), { recursive: true });
        continue;
      }
      await mkdir(directory, { recursive: true });
      if (filledSources.some((source) => valueAt(volume, source) !== undefined))
        volumes.push(this.#newVolume(pod, volume, directory));
    }
    for (const volume of volumes) await this.#write(pod, volume, true);
    this.#volumes = volumes;
    if (volumes.length > 0) this.#syncAtMs = this.#nowMs() + syncMs;
  }

  #newVolume(pod: KubeObject, volume: unknown, directory: string): FilledVolume {
    const { cluster, context } = this.#deps;
    const sources =
      valueAt(volume, "projected") === undefined ? [volume] : listAt(volume, "projected", "sources");
    const payload = new PayloadDirectory(
      directory,
      context.clock,
      hasPartialMount(pod, stringAt(volume, "name")),
    );
    return {
      payload,
      sources: sources.map((source) => ({ source, token: new PodToken(cluster, context.clock) })),
    };
  }

  async #sync(pod: KubeObject): Promise<void> {
    for (const volume of this.#volumes) {
      try {
        await this.#write(pod, volume, false);
      } catch (error) {
        this.#deps.context.logger.warn(
          { pod: pod.metadata.name, error: messageOf(error) },
          "volume not updated",
        );
      }
    }
    this.#syncAtMs = this.#nowMs() + syncMs;
  }

  /**
   * Writes the volume's content. In the first write, a missing source counts as empty. If a source is missing in a later write,
   * the complete volume keeps its previous content.
   */
  async #write(pod: KubeObject, { payload, sources }: FilledVolume, isFirst: boolean): Promise<void> {
    const files = new Map<string, string | Buffer>();
    for (const { source, token } of sources) {
      const content = await contentOf(pod, source, { client: this.#deps.context.client, token });
      if (content === undefined && !isFirst) return;
      for (const [path, text] of content ?? []) files.set(path, text);
    }
    await payload.write(files);
  }

  #nowMs(): number {
    return this.#deps.context.clock.now().getTime();
  }
}

function hasPartialMount(pod: KubeObject, volume: string | undefined): boolean {
  const containers = [...listAt(pod, "spec", "initContainers"), ...listAt(pod, "spec", "containers")];
  return containers
    .flatMap((container) => listAt(container, "volumeMounts"))
    .some(
      (mount) =>
        stringAt(mount, "name") === volume && (stringAt(mount, "subPath") || stringAt(mount, "subPathExpr")),
    );
}
