import { type Clock, messageOf } from "@keelson/base";
import {
  type Cache,
  type Controller,
  done,
  type EventText,
  metadataOnly,
  type Strip,
  watchFor,
} from "@keelson/controller";
import { type KubeApi, type KubeObject, type KubeResource, resources } from "@keelson/kube";
import type { NodeDisk } from "./node-disk.ts";
import { certificatesLock, lockNode } from "./node-lock.ts";
import { dataOf, type SourceKind, type SourceNames } from "./read-sources.ts";

interface CertSyncerParts {
  readonly api: Pick<KubeApi, "find">;
  readonly cache: Cache;
  readonly clock: Clock;
  readonly report: (event: EventText) => void;
}

export interface CertSyncerOptions<Context> {
  readonly namespace: string;
  readonly destinationDir: string;
  readonly names: SourceNames;
  readonly disk: NodeDisk;
  readonly parts: (context: Context) => CertSyncerParts;
}

interface SyncedSource {
  readonly kind: SourceKind;
  readonly name: string;
  readonly isOptional: boolean;
}

/** Names of source kinds in Events. */
const kindNames = { configmaps: "configmap", secrets: "secret" } as const;
const modes = { configmaps: 0o644, secrets: 0o600 } as const;

/**
 * Synchronizes certificates from the cluster to a node's disk without a new revision. The cache shows which files may differ.
 * Before each write or removal, the source is read from the API server. A stale cache therefore cannot restore old content.
 */
export function certSyncer<Context>(options: CertSyncerOptions<Context>): Controller<Context> {
  const { destinationDir, disk, names, namespace, parts } = options;
  const sources = sourcesOf(names);
  const kept = new Set(sources.map(({ name }) => name));
  const strip: Strip<KubeObject> = (object) =>
    kept.has(object.metadata.name) ? object : metadataOnly(object);
  const selection = { namespace };
  const isSource = ({ object }: { readonly object: KubeObject }) => kept.has(object.metadata.name);
  const key = { name: "certificates" };
  return {
    name: "CertSyncController",
    watches: [resources.secrets, resources.configMaps].map((resource) =>
      watchFor<KubeObject>(resource, key, { selection, strip, where: isSource }),
    ),
    initialKeys: [key],
    async reconcile(_, context, { signal }) {
      const { api, cache, clock, report } = parts(context);
      using _lock = await lockNode(disk, certificatesLock(destinationDir), clock, signal);
      const failures: string[] = [];
      for (const source of sources) {
        const directory = `${destinationDir}/${source.kind}/${source.name}`;
        const resource: KubeResource = source.kind === "secrets" ? resources.secrets : resources.configMaps;
        const known = cache.informer(resource, { selection, strip }).get({ namespace, name: source.name });
        const find = () => api.find(resource, { namespace, name: source.name }, signal);
        const about = `${kindNames[source.kind]}: ${namespace}/${source.name}`;
        try {
          const outcome = await syncDirectory({ source, directory, known, find, disk });
          if (outcome === "missing") failures.push(`${source.kind} "${source.name}" not found`);
          if (outcome === "written")
            report({ type: "Normal", reason: "CertificateUpdated", message: `Wrote updated ${about}` });
          if (outcome === "removed")
            report({
              type: "Warning",
              reason: "CertificateRemoved",
              message: `Removed file for missing ${about}`,
            });
        } catch (error) {
          signal.throwIfAborted();
          const message = `Failed syncing ${about}: ${messageOf(error)}`;
          report({ type: "Warning", reason: "CertificateUpdateFailed", message });
          failures.push(message);
        }
      }
      if (failures.length > 0) throw new Error(failures.join("; "));
      return done;
    },
  };
}

function sourcesOf(names: SourceNames): readonly SyncedSource[] {
  const all = (kind: SourceKind, list: readonly string[], isOptional: boolean) =>
    list.map((name) => ({ kind, name, isOptional }));
  return [
    ...all("configmaps", names.configMaps, false),
    ...all("configmaps", names.optionalConfigMaps, true),
    ...all("secrets", names.secrets, false),
    ...all("secrets", names.optionalSecrets, true),
  ];
}

interface SyncRequest {
  readonly source: SyncedSource;
  readonly directory: string;
  readonly known: KubeObject | undefined;
  readonly find: () => Promise<KubeObject | undefined>;
  readonly disk: NodeDisk;
}

async function syncDirectory({
  source,
  directory,
  known,
  find,
  disk,
}: SyncRequest): Promise<"unchanged" | "written" | "removed" | "missing"> {
  const { kind, isOptional } = source;
  const present = await disk.readDirectory(directory);
  if (!known && !isOptional) return "missing";
  if (!known && !present) return "unchanged";
  if (known && isSame(present, dataOf(kind, known))) return "unchanged";
  const live = await find();
  if (!live) {
    // The API server no longer has the source, but the cache may still contain it. The files are not removed before the cache
    // shows the deletion. The files of a required source are never removed.
    if (known || !isOptional) return "unchanged";
    await disk.remove(directory);
    return "removed";
  }
  const data = dataOf(kind, live);
  if (isSame(present, data)) return "unchanged";
  const mode = modes[kind];
  const files = Object.entries(data).map(([name, content]) => [name, { content, mode }] as const);
  await disk.replaceDirectory(directory, Object.fromEntries(files));
  return "written";
}

function isSame(
  present: Readonly<Record<string, Buffer>> | undefined,
  wanted: Readonly<Record<string, Buffer>>,
): boolean {
  const names = Object.keys(wanted);
  return (
    present !== undefined &&
    Object.keys(present).length === names.length &&
    names.every((name) => wanted[name] !== undefined && present[name]?.equals(wanted[name]))
  );
}
