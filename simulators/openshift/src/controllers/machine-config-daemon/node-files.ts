import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { KubeObject } from "@keelson/apiserver";
import { listAt, numberAt, stringAt, walkPath } from "@keelson/base";
import { readInertLink } from "../../kubelet/containers/inert-link.ts";

/**
 * Updates the files on a node after a change of the rendered config. Writes the files of the new config and deletes files that
 * only the previous config contained. Symbolic links and `..` cannot escape the node's directory.
 */
export async function applyFiles(
  directory: string,
  from: KubeObject | undefined,
  to: KubeObject,
): Promise<void> {
  const wanted = filesOf(to);
  const kept = new Set(wanted.map(({ path }) => path));
  const disk = new NodeDisk(directory);
  for (const { path } of filesOf(from)) if (!kept.has(path)) await disk.remove(path);
  for (const file of wanted) await disk.write(file);
}

interface NodeFile {
  readonly path: string;
  readonly mode: number;
  readonly contents: Buffer;
}

function filesOf(config: KubeObject | undefined): readonly NodeFile[] {
  return listAt(config, "spec", "config", "storage", "files").flatMap((file) => {
    const path = stringAt(file, "path");
    const contents = decodeDataUrl(stringAt(file, "contents", "source") ?? "data:,");
    // Skips remote contents because simulated nodes have no network.
    return path === undefined || contents === undefined
      ? []
      : [{ path, mode: numberAt(file, "mode") ?? 0o644, contents }];
  });
}

/** Decodes a `data:` URL (RFC 2397). `undefined` if it is invalid. */
function decodeDataUrl(url: string): Buffer | undefined {
  const match = /^data:([^,]*),(.*)$/s.exec(url);
  if (!match) return undefined;
  const [, mediaType = "", body = ""] = match;
  try {
    const text = decodeURIComponent(body);
    return mediaType.endsWith(";base64") ? Buffer.from(text, "base64") : Buffer.from(text);
  } catch {
    return undefined;
  }
}

/** Directory of a node's file system during one update. Each of its directories is examined and created once. */
class NodeDisk {
  readonly #root: string;
  /** Link targets by path, undefined for a path that is not a link. */
  readonly #links = new Map<string, Promise<string | undefined>>();
  readonly #made = new Set<string>();

  constructor(root: string) {
    this.#root = root;
  }

  async write({ path, mode, contents }: NodeFile): Promise<void> {
    const target = await this.#resolve(path);
    const parent = dirname(target);
    if (!this.#made.has(parent)) await mkdir(parent, { recursive: true });
    this.#made.add(parent);
    // With the flag `wx`, a link at the target path is never followed. On a new node, no file exists yet, so the first attempt
    // succeeds.
    const create = () => writeFile(target, contents, { mode, flag: "wx" });
    await create().catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
      await rm(target, { recursive: true, force: true });
      await create();
    });
  }

  async remove(path: string): Promise<void> {
    await rm(await this.#resolve(path), { recursive: true, force: true });
  }

  /** Resolves a path. The result is always within the directory. A link at the end of the path is not followed. */
  async #resolve(path: string): Promise<string> {
    const linkAt = (components: readonly string[]) => this.#linkAt(join(this.#root, ...components));
    const target = join(this.#root, ...(await walkPath(path, { keepLink: true, linkAt })));
    if (target === join(this.#root)) throw new Error(`${JSON.stringify(path)} is not the path of a file`);
    return target;
  }

  #linkAt(place: string): Promise<string | undefined> {
    const known = this.#links.get(place) ?? readInertLink(place);
    this.#links.set(place, known);
    return known;
  }
}
