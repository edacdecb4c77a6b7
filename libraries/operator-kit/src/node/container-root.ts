import { readFile, readlink } from "node:fs/promises";
import { join } from "node:path";
import { walkPath } from "@keelson/base";
import type { DirectoryUse, NodeFiles, OpenPlace } from "./node-files.ts";
import { openDirectory, openEntry, placeOfHandle } from "./open-directory.ts";

/** Mount of a simulated container. Its source is a directory of this machine. */
export interface RootMount {
  /** Absolute path without a trailing slash. */
  readonly path: string;
  readonly directory: string;
  readonly readOnly: boolean;
}

interface Location {
  readonly base: string;
  /** Path components below `base`. */
  readonly rest: readonly string[];
  readonly readOnly: boolean;
}

/** Maximum number of attempts to resolve a path. The kubelet may replace a volume's files during an attempt. */
const maxAttempts = 3;

/**
 * File system of a simulated container that runs as a process. Every path stays inside the container's root and its mounts, as
 * with `chroot`. This applies to absolute paths, `..` and symbolic links. Files are opened without following links, so the open
 * call fails if a link is created after the path was resolved.
 */
export class ContainerRoot implements NodeFiles {
  readonly #root: string;
  /** Mounts, sorted by the length of their path. The longest path is first. */
  readonly #mounts: readonly RootMount[];

  constructor(root: string, mounts: readonly RootMount[]) {
    this.#root = root;
    this.#mounts = mounts.toSorted((a, b) => b.path.length - a.path.length);
  }

  /** Resolves all links and returns the path on this machine. */
  async resolve(path: string): Promise<string> {
    const { base, rest } = this.#locate(await this.#walk(path, false));
    return join(base, ...rest);
  }

  async parent(path: string, use: DirectoryUse): Promise<OpenPlace> {
    const { base, rest, readOnly } = this.#locate(await this.#walk(path, true));
    const name = rest.at(-1);
    if (name === undefined) throw new Error(`${path} is a mount point`);
    if (readOnly && use !== "read") throw new Error(`${path}: Read-only file system`);
    const above = rest.slice(0, -1);
    const handle = await openDirectory(base, above, use === "create").catch(naming(path));
    return {
      place: join(placeOfHandle(handle, join(base, ...above)), name),
      [Symbol.asyncDispose]: () => handle.close(),
    };
  }

  async target(path: string): Promise<OpenPlace> {
    const { base, rest } = this.#locate(await this.#walk(path, false));
    const name = rest.at(-1);
    const above = rest.slice(0, -1);
    const directory = await openDirectory(base, above, false).catch(naming(path));
    if (name === undefined)
      return { place: placeOfHandle(directory, base), [Symbol.asyncDispose]: () => directory.close() };
    try {
      const place = placeOfHandle(directory, join(base, ...above));
      const entry = await openEntry(place, name).catch(naming(path));
      return {
        place: placeOfHandle(entry, join(place, name)),
        [Symbol.asyncDispose]: () => entry.close(),
      };
    } finally {
      await directory.close();
    }
  }

  async makeDirectory(path: string): Promise<void> {
    const { base, rest, readOnly } = this.#locate(await this.#walk(path, false));
    if (readOnly) throw new Error(`${path}: Read-only file system`);
    const handle = await openDirectory(base, rest, true).catch(naming(path));
    await handle.close();
  }

  async readFile(path: string): Promise<Buffer> {
    for (let attempt = 1; ; attempt++) {
      try {
        await using opened = await this.target(path);
        return await readFile(opened.place);
      } catch (error) {
        if (attempt === maxAttempts) throw error;
      }
    }
  }

  #walk(path: string, keepLink: boolean): Promise<readonly string[]> {
    const linkAt = async (components: readonly string[]) => {
      const here = `/${components.join("/")}`;
      if (this.#mounts.some((mount) => mount.path === here)) return undefined;
      const { base, rest } = this.#locate(components);
      return readlink(join(base, ...rest)).catch(() => undefined);
    };
    return walkPath(path, { linkAt, keepLink });
  }

  #locate(components: readonly string[]): Location {
    const path = `/${components.join("/")}`;
    const mount = this.#mounts.find((each) => path === each.path || path.startsWith(`${each.path}/`));
    if (!mount) return { base: this.#root, rest: components, readOnly: false };
    const depth = mount.path.split("/").length - 1;
    return { base: mount.directory, rest: components.slice(depth), readOnly: mount.readOnly };
  }
}

/** Returns an error handler that adds the container's path to an error. The original error names only a path of this machine. */
function naming(path: string): (error: unknown) => never {
  return (error) => {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ELOOP" || code === "ENOTDIR")
      throw new Error(`${path}: a symbolic link or file replaced a directory of this path`, { cause: error });
    throw error;
  };
}
