import { readFile } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";
import { type Clock, isPlainObject } from "@keelson/base";
import { parse } from "yaml";

/** Maps the kubeconfig fields that contain a file name to the fields that contain the file's content. */
const files: Readonly<Record<string, string>> = {
  "certificate-authority": "certificate-authority-data",
  "client-certificate": "client-certificate-data",
  "client-key": "client-key-data",
};

export interface KubeconfigFileOptions {
  /** Maps a path in the kubeconfig to a path on this machine. */
  readonly placeOf?: (path: string) => string;
  /** Host name to verify in the server certificate. Default: the host of the server URL. */
  readonly tlsServerName?: string | undefined;
}

/**
 * Reads a kubeconfig and embeds the content of referenced files, because cluster clients do not read files. Paths are relative to
 * the kubeconfig's directory.
 */
export async function readKubeconfigFile(
  path: string,
  { placeOf = (each) => each, tlsServerName }: KubeconfigFileOptions = {},
): Promise<string> {
  const text = await readFile(placeOf(path), "utf8");
  let config: unknown;
  try {
    config = parse(text, { maxAliasCount: 0, logLevel: "silent" });
  } catch {
    return text;
  }
  if (!isPlainObject(config)) return text;
  const read = (file: string) => readFile(placeOf(isAbsolute(file) ? file : join(dirname(path), file)));
  const clusters = await each(config.clusters, "cluster", async (cluster) => ({
    ...(await embedded(cluster, read)),
    ...(tlsServerName === undefined ? {} : { "tls-server-name": tlsServerName }),
  }));
  const users = await each(config.users, "user", async ({ tokenFile, ...user }) => ({
    ...(await embedded(user, read)),
    ...(typeof tokenFile === "string" ? { token: (await read(tokenFile)).toString().trim() } : {}),
  }));
  return JSON.stringify({ ...config, clusters, users });
}

type Fields = Readonly<Record<string, unknown>>;

async function each(
  list: unknown,
  member: string,
  change: (fields: Fields) => Promise<Fields>,
): Promise<unknown> {
  if (!Array.isArray(list)) return list;
  return Promise.all(
    list.map(async (entry: unknown) => {
      const fields = isPlainObject(entry) ? entry[member] : undefined;
      return isPlainObject(entry) && isPlainObject(fields)
        ? { ...entry, [member]: await change(fields) }
        : entry;
    }),
  );
}

async function embedded(fields: Fields, read: (file: string) => Promise<Buffer>): Promise<Fields> {
  const entries = await Promise.all(
    Object.entries(fields).map(async ([name, value]) => {
      const data = files[name];
      return data !== undefined && typeof value === "string" && value !== ""
        ? [data, (await read(value)).toString("base64")]
        : [name, value];
    }),
  );
  return Object.fromEntries(entries);
}

const pollMs = 10_000;

/** Resolves when the file changes. Rejects when the signal aborts. */
export async function untilKubeconfigChanges(
  place: string,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const before = await readFile(place, "utf8");
  while ((await readFile(place, "utf8").catch(() => before)) === before) await clock.sleep(pollMs, signal);
}
