import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { messageOf } from "@keelson/base";
import { errors } from "../base/errors.ts";
import { decodeDataUrl } from "./data-url.ts";
import {
  type IgnitionConfig,
  type IgnitionFile,
  type IgnitionResource,
  parseIgnitionConfig,
} from "./ignition-config.ts";

export interface FetchRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Additional CA certificates in PEM. */
  readonly authorities: readonly string[];
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** Fetches a URL from the machine's network. @throws IgnitionUnavailable with the reason */
export type FetchResource = (request: FetchRequest) => Promise<Buffer>;

/** Disk contents of a machine after its first boot. */
export interface AppliedIgnition {
  /** File contents by absolute path. */
  readonly files: ReadonlyMap<string, string>;
  /** SSH keys of the user `core`. */
  readonly sshAuthorizedKeys: readonly string[];
}

/** Maximum number of configurations that one machine may fetch, and maximum total size of these configurations in bytes. */
const maxConfigs = 32;
const maxBytes = 64 * 1024 * 1024;
const unzip = promisify(gunzip);

/**
 * Applies the Ignition configuration in a machine's Base64 custom data. Fetches the contents of all files, and all configurations
 * that replace or extend the configuration.
 * @throws InvalidIgnition, IgnitionUnavailable
 */
export async function applyIgnition(
  customData: string | undefined,
  fetch: FetchResource,
  signal: AbortSignal,
): Promise<AppliedIgnition> {
  if (customData === undefined) throw errors.InvalidIgnition("the machine has no custom data");
  const reader = new ResourceReader(fetch, signal);
  const config = await reader.resolve(parseIgnitionConfig(Buffer.from(customData, "base64")), []);
  const files = new Map<string, string>();
  for (const file of config.files) files.set(file.path, await reader.contentsOf(file, config.trusted));
  return { files, sshAuthorizedKeys: config.sshAuthorizedKeys };
}

interface ResolvedConfig {
  readonly files: readonly IgnitionFile[];
  readonly sshAuthorizedKeys: readonly string[];
  readonly trusted: readonly string[];
}

class ResourceReader {
  readonly #fetch: FetchResource;
  readonly #signal: AbortSignal;
  #configs = 0;
  #bytes = 0;

  constructor(fetch: FetchResource, signal: AbortSignal) {
    this.#fetch = fetch;
    this.#signal = signal;
  }

  /** Returns the effective configuration. Files of merged configurations override files of the configuration that merges them. */
  async resolve(config: IgnitionConfig, inherited: readonly string[]): Promise<ResolvedConfig> {
    this.#configs += 1;
    if (this.#configs > maxConfigs)
      throw errors.InvalidIgnition(`more than ${maxConfigs} configurations refer to each other`);
    const own = await Promise.all(config.authorities.map((each) => this.#read(each, inherited)));
    const trusted = [...inherited, ...own.map(String)];
    const { replace } = config;
    if (replace) return this.resolve(parseIgnitionConfig(await this.#read(replace, trusted)), trusted);
    let resolved: ResolvedConfig = { ...config, trusted };
    for (const each of config.merge) {
      const child = await this.resolve(parseIgnitionConfig(await this.#read(each, trusted)), trusted);
      resolved = {
        files: mergedFiles(resolved.files, child.files),
        sshAuthorizedKeys: [...new Set([...resolved.sshAuthorizedKeys, ...child.sshAuthorizedKeys])],
        trusted: [...new Set([...resolved.trusted, ...child.trusted])],
      };
    }
    return resolved;
  }

  async contentsOf({ contents, append }: IgnitionFile, trusted: readonly string[]): Promise<string> {
    const parts: Buffer[] = [];
    for (const each of [...(contents ? [contents] : []), ...append])
      parts.push(await this.#read(each, trusted));
    return Buffer.concat(parts).toString("utf8");
  }

  async #read(resource: IgnitionResource, authorities: readonly string[]): Promise<Buffer> {
    const { source, compression, hash, headers } = resource;
    const transferred = source.startsWith("data:")
      ? decodeDataUrl(source)
      : await this.#fetch({
          url: parseUrl(source),
          headers,
          authorities,
          maxBytes: maxBytes - this.#bytes,
          signal: this.#signal,
        });
    if (hash !== undefined) verify(transferred, hash, source);
    const bytes = compression === "gzip" ? await this.#unzipped(transferred) : transferred;
    this.#bytes += bytes.length;
    if (this.#bytes > maxBytes)
      throw errors.InvalidIgnition(`the configurations and files exceed ${maxBytes} bytes`);
    return bytes;
  }

  async #unzipped(bytes: Buffer): Promise<Buffer> {
    try {
      return await unzip(bytes, { maxOutputLength: Math.max(1, maxBytes - this.#bytes) });
    } catch (cause) {
      throw errors.InvalidIgnition(`a resource cannot be decompressed: ${messageOf(cause)}`, { cause });
    }
  }
}

function mergedFiles(parents: readonly IgnitionFile[], children: readonly IgnitionFile[]) {
  const merged = new Map(parents.map((file) => [file.path, file]));
  for (const child of children) {
    const parent = merged.get(child.path);
    const append = [...(parent?.append ?? []), ...child.append];
    merged.set(child.path, { ...parent, ...child, append });
  }
  return [...merged.values()];
}

/** Returns a URL for error messages without its query, which may contain a signature. */
export function shownUrl({ protocol, host, pathname }: URL): string {
  return `${protocol}//${host}${pathname}`;
}

function parseUrl(source: string): URL {
  const url = URL.parse(source);
  if (url?.protocol === "https:" || url?.protocol === "http:") return url;
  throw errors.InvalidIgnition(`the source ${source.slice(0, 40)} has an unsupported scheme`);
}

function verify(bytes: Buffer, hash: string, source: string): void {
  const [, algorithm, expected] = /^(sha256|sha512)-([0-9a-f]+)$/.exec(hash) ?? [];
  if (algorithm === undefined) throw errors.InvalidIgnition("verification.hash must be sha256-… or sha512-…");
  if (createHash(algorithm).update(bytes).digest("hex") === expected) return;
  const url = URL.parse(source);
  throw errors.InvalidIgnition(
    `the content of ${url && url.protocol !== "data:" ? shownUrl(url) : "a data URL"} does not match its hash`,
  );
}
