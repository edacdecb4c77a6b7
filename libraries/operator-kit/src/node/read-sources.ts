import { type Clock, isPlainObject, timeLimit, valueAt } from "@keelson/base";
import { type KubeApi, KubeError, type KubeObject, type KubeResource, resources } from "@keelson/kube";
import type { DiskFiles } from "./node-disk.ts";

/** Names of the ConfigMaps and Secrets that are written to a node as files. */
export interface SourceNames {
  readonly configMaps: readonly string[];
  readonly optionalConfigMaps: readonly string[];
  readonly secrets: readonly string[];
  readonly optionalSecrets: readonly string[];
}

export type SourceKind = "configmaps" | "secrets";

/** Files of a ConfigMap or Secret. */
export interface SourceDirectory {
  readonly kind: SourceKind;
  /** Name of the object without the revision suffix. */
  readonly name: string;
  readonly files: DiskFiles;
}

export interface SourceReader {
  readonly api: Pick<KubeApi, "find">;
  readonly namespace: string;
  readonly clock: Clock;
}

const requestMs = 14_000;
const retryMs = 1_000;

/**
 * Reads all sources before it returns, so that the caller writes files only after every read has succeeded.
 * @throws Error naming a missing required source
 */
export async function readSources(
  names: SourceNames,
  suffix: string,
  reader: SourceReader,
  signal: AbortSignal,
): Promise<readonly SourceDirectory[]> {
  const wanted: readonly (readonly [SourceKind, readonly string[], boolean])[] = [
    ["secrets", names.secrets, false],
    ["secrets", names.optionalSecrets, true],
    ["configmaps", names.configMaps, false],
    ["configmaps", names.optionalConfigMaps, true],
  ];
  const found: SourceDirectory[] = [];
  for (const [kind, list, isOptional] of wanted)
    for (const name of list) {
      const object = await readSource(kind, `${name}${suffix}`, reader, signal);
      if (object) found.push({ kind, name, files: installedFiles(kind, object) });
      else if (!isOptional) throw new Error(`${kind} "${name}${suffix}" not found in ${reader.namespace}`);
    }
  return found;
}

/** Reads a source. Retries while the API server is unreachable, for example while its static pod is replaced. */
export async function readSource(
  kind: SourceKind,
  name: string,
  { api, namespace, clock }: SourceReader,
  signal: AbortSignal,
): Promise<KubeObject | undefined> {
  const resource: KubeResource = kind === "secrets" ? resources.secrets : resources.configMaps;
  for (;;) {
    const timeout = timeLimit(requestMs);
    try {
      return await api.find(resource, { namespace, name }, AbortSignal.any([signal, timeout]));
    } catch (error) {
      signal.throwIfAborted();
      if (!timeout.aborted && !(error instanceof KubeError && error.code === 0 && error.retry !== "never"))
        throw error;
      await clock.sleep(retryMs, signal);
    }
  }
}

/** Returns the decoded data of a ConfigMap or Secret. */
export function dataOf(kind: SourceKind, object: KubeObject): Readonly<Record<string, Buffer>> {
  const data = valueAt(object, "data");
  if (!isPlainObject(data)) return {};
  return Object.fromEntries(
    Object.entries(data).flatMap(([name, text]) =>
      typeof text === "string" ? [[name, Buffer.from(text, kind === "secrets" ? "base64" : "utf8")]] : [],
    ),
  );
}

function installedFiles(kind: SourceKind, object: KubeObject): DiskFiles {
  const scriptMode = kind === "secrets" ? 0o700 : 0o755;
  return Object.fromEntries(
    Object.entries(dataOf(kind, object)).map(([name, content]) => [
      name,
      { content, mode: name.endsWith(".sh") ? scriptMode : 0o600 },
    ]),
  );
}
