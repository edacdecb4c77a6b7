import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ContainerFiles } from "../kubelet/containers/container-files.ts";
import { makeInertLink } from "../kubelet/containers/inert-link.ts";

export interface DiskFile {
  readonly content: Uint8Array | string;
  readonly mode: number;
}

const maxAttempts = 10;

/** Disk of a node. All accesses use a container's mounts, and paths cannot escape the mounts. */
export class NodeDisk {
  readonly #files: ContainerFiles;

  constructor(files: ContainerFiles) {
    this.#files = files;
  }

  /** Replaces a file atomically. */
  async write(path: string, { content, mode }: DiskFile): Promise<void> {
    const place = await this.#files.resolveForWriting(path);
    await mkdir(dirname(place), { recursive: true });
    const aside = join(dirname(place), `.${randomUUID()}`);
    await writeFile(aside, content, { mode });
    await rename(aside, place);
  }

  /** Replaces all files of a directory with one rename. Removes files that are missing in `files`. */
  async replaceDirectory(path: string, files: Readonly<Record<string, DiskFile>>): Promise<void> {
    const place = await this.#files.resolveForWriting(path);
    const staging = `${place}.staging-${randomUUID()}`;
    await mkdir(staging, { recursive: true });
    for (const [name, { content, mode }] of Object.entries(files)) {
      if (!/^[-._a-zA-Z0-9]+$/.test(name) || name === "." || name === "..") continue;
      await writeFile(join(staging, name), content, { mode });
    }
    for (let attempt = 1; ; attempt++) {
      const old = `${place}.old-${randomUUID()}`;
      await rename(place, old).catch(() => undefined);
      try {
        await rename(staging, place);
      } catch (error) {
        // A concurrent writer, such as a cert syncer, has recreated the directory at the target path, so the rename is retried.
        if (attempt >= maxAttempts) throw error;
        continue;
      } finally {
        await rm(old, { recursive: true, force: true });
      }
      return;
    }
  }

  /** Reads a file and follows links. Undefined if the file does not exist. */
  async read(path: string): Promise<string | undefined> {
    const place = await this.#files.resolve(path);
    return readFile(place, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
  }

  /** Creates or replaces a symbolic link. */
  async link(path: string, target: string): Promise<void> {
    const place = await this.#files.resolveForWriting(path, true);
    const aside = join(dirname(place), `.${randomUUID()}`);
    await makeInertLink(target, aside);
    await rename(aside, place);
  }

  async makeDirectory(path: string): Promise<void> {
    await mkdir(await this.#files.resolveForWriting(path), { recursive: true });
  }

  /** Returns the names of the subdirectories. */
  async directories(path: string): Promise<readonly string[]> {
    const entries = await readdir(await this.#files.resolve(path), { withFileTypes: true });
    return entries.filter((each) => each.isDirectory()).map(({ name }) => name);
  }

  async remove(path: string): Promise<void> {
    await rm(await this.#files.resolveForWriting(path, true), { recursive: true, force: true });
  }
}
