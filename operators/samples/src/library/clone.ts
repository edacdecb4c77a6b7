import { execFile } from "node:child_process";
import { lookup } from "node:dns/promises";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setInterval } from "node:timers/promises";
import { promisify } from "node:util";
import { messageOf, withTimeout } from "@keelson/base";
import { contentErrors } from "../content/content-errors.ts";
import { parseDownloadUrl } from "./download.ts";
import { isPublicAddress } from "./public-address.ts";

const run = promisify(execFile);

export interface CloneOptions {
  readonly allowPrivateAddresses: boolean;
  readonly environment: NodeJS.ProcessEnv;
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
}

/**
 * Clones the newest commit of a repository's default branch to a temporary directory. Disposal removes the directory. Git
 * connects only to the validated address, without redirects and prompts. If Git exceeds the time or size limit, it is stopped.
 * @throws DownloadFailed
 */
export async function clone(
  text: string,
  options: CloneOptions,
  signal: AbortSignal,
): Promise<{ readonly directory: string } & AsyncDisposable> {
  const { timeoutMs = 300_000, maxBytes = 500_000_000 } = options;
  const url = parseDownloadUrl(text, options);
  const pinned = options.allowPrivateAddresses ? [] : [await pinnedAddress(url)];
  const directory = await mkdtemp(join(tmpdir(), "keelson-library-"));
  const remove = () => rm(directory, { recursive: true, force: true });
  const tooLarge = new AbortController();
  const over = new AbortController();
  const limited = withTimeout(AbortSignal.any([signal, tooLarge.signal]), timeoutMs);
  const settings = [
    "protocol.allow=never",
    `protocol.${url.protocol.slice(0, -1)}.allow=always`,
    "http.followRedirects=false",
    "core.symlinks=false",
    "core.hooksPath=/dev/null",
    ...pinned.map((each) => `http.curloptResolve=${each}`),
  ].flatMap((setting) => ["-c", setting]);
  const env = {
    PATH: options.environment.PATH,
    HOME: directory,
    GIT_TERMINAL_PROMPT: "0",
    GIT_CONFIG_NOSYSTEM: "1",
  };
  const args = [
    ...settings,
    "clone",
    "--quiet",
    "--depth=1",
    "--no-tags",
    "--",
    url.href,
    join(directory, "checkout"),
  ];
  const watching = watchSize(directory, maxBytes, tooLarge, over.signal);
  try {
    await run("git", args, { env, signal: limited, maxBuffer: 100_000 });
    return { directory: join(directory, "checkout"), [Symbol.asyncDispose]: remove };
  } catch (cause) {
    await remove();
    signal.throwIfAborted();
    const why = tooLarge.signal.aborted
      ? `larger than ${maxBytes} bytes`
      : limited.aborted
        ? `not cloned within ${timeoutMs} ms`
        : messageOf(cause);
    throw contentErrors.DownloadFailed(`${url.origin}${url.pathname}: ${why}`, { cause });
  } finally {
    over.abort();
    await watching;
  }
}

/**
 * Returns `host:port:address` for the host of a URL. All addresses of the host must be public.
 * @throws DownloadFailed
 */
async function pinnedAddress({ hostname, port }: URL): Promise<string> {
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  let addresses: readonly { readonly address: string }[];
  try {
    addresses = await lookup(host, { all: true });
  } catch (cause) {
    throw contentErrors.DownloadFailed(`${hostname}: ${messageOf(cause)}`, { cause });
  }
  const refused = addresses.find(({ address }) => !isPublicAddress(address));
  const [first] = addresses;
  if (refused || !first)
    throw contentErrors.DownloadFailed(
      `${hostname} is not a host of the internet (${refused?.address ?? "no address"}): allow it with --allow-private-addresses`,
    );
  const list = addresses.map(({ address }) => (address.includes(":") ? `[${address}]` : address)).join(",");
  return `${hostname}:${port || 443}:${list}`;
}

async function watchSize(
  directory: string,
  maxBytes: number,
  tooLarge: AbortController,
  signal: AbortSignal,
): Promise<void> {
  try {
    for await (const _ of setInterval(500, undefined, { signal }))
      if ((await directoryBytes(directory)) > maxBytes) tooLarge.abort();
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Returns the total size of a directory in bytes. Files that are deleted during the traversal are ignored. */
async function directoryBytes(directory: string): Promise<number> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(
        async (entry) => (await stat(join(entry.parentPath, entry.name)).catch(() => undefined))?.size ?? 0,
      ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
