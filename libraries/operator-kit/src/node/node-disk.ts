import { randomUUID } from "node:crypto";
import {
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { directoryMode, type NodeFiles, type OpenPlace, type PlaceOf, plainFiles } from "./node-files.ts";

export interface DiskFile {
  readonly content: Uint8Array | string;
  /** Permissions, for example 0o600. */
  readonly mode: number;
}

export type DiskFiles = Readonly<Record<string, DiskFile>>;

/**
 * Disk of a node with atomic and durable writes. After a kill or a power failure, each path has either its complete old or its
 * complete new content. The next write removes temporary files of a killed process.
 */
export class NodeDisk {
  readonly #files: NodeFiles;

  constructor(files: PlaceOf | NodeFiles = (path) => path) {
    this.#files = typeof files === "function" ? plainFiles(files) : files;
  }

  /** Writes a file. Readers see either the old or the new content. The file is never missing during the replacement. */
  async writeFile(path: string, { content, mode }: DiskFile): Promise<void> {
    await using opened = await this.#files.parent(path, "create");
    const { place } = opened;
    const directory = dirname(place);
    await removeOthers(directory, asidePrefix(place));
    const aside = join(directory, `${asidePrefix(place)}${randomUUID()}`);
    await writeDurably(aside, content, mode);
    await rename(aside, place);
    await syncDirectory(directory);
  }

  /**
   * Atomically replaces the files of a directory. The path is a link to a version directory. The previous version is kept for
   * readers that have opened it. Returns false if the files are unchanged.
   */
  async replaceDirectory(path: string, files: DiskFiles): Promise<boolean> {
    for (const name of Object.keys(files)) checkName(name);
    await using opened = await this.#files.parent(path, "create");
    const { place } = opened;
    const parent = dirname(place);
    const prefix = asidePrefix(place);
    const before = await linkTarget(place);
    if (await this.#read(path, (directory) => holds(directory, files))) return false;
    await removeOthers(parent, prefix, before);
    const version = `${prefix}${randomUUID()}`;
    await mkdir(join(parent, version), { mode: directoryMode });
    for (const [name, { content, mode }] of Object.entries(files))
      await writeDurably(join(parent, version, name), content, mode);
    await syncDirectory(join(parent, version));
    const link = join(parent, `${prefix}link-${randomUUID()}`);
    await symlink(version, link);
    // If there is a plain directory at this path, an installer other than this program created it. A link cannot replace a
    // directory atomically, so the directory is first moved away.
    if (before === undefined && (await lstat(place).catch(() => undefined)))
      await rename(place, join(parent, `${prefix}${randomUUID()}`));
    await rename(link, place);
    await syncDirectory(parent);
    return true;
  }

  /** Returns the files of a directory by name. Undefined if the directory is missing. */
  async readDirectory(path: string): Promise<Readonly<Record<string, Buffer>> | undefined> {
    return this.#read(path, readAll);
  }

  async readFile(path: string): Promise<string | undefined> {
    return this.#read(path, (place) => readFile(place, "utf8"));
  }

  /** Returns the names of the subdirectories. Empty if the directory is missing. */
  async directories(path: string): Promise<readonly string[]> {
    const entries = await this.#read(path, (place) => readdir(place, { withFileTypes: true }));
    return (entries ?? []).filter((each) => each.isDirectory()).map(({ name }) => name);
  }

  async makeDirectory(path: string): Promise<void> {
    await this.#files.makeDirectory(path);
  }

  /** Replaces a link atomically. */
  async writeLink(path: string, target: string): Promise<void> {
    await using opened = await this.#files.parent(path, "change");
    const { place } = opened;
    await removeOthers(dirname(place), asidePrefix(place));
    const aside = join(dirname(place), `${asidePrefix(place)}${randomUUID()}`);
    await symlink(target, aside);
    await rename(aside, place);
    await syncDirectory(dirname(place));
  }

  async readLink(path: string): Promise<string | undefined> {
    await using opened = await orAbsent(this.#files.parent(path, "read"));
    return opened && linkTarget(opened.place);
  }

  /** Removes a file, or a directory with all its versions. */
  async remove(path: string): Promise<void> {
    await using opened = await orAbsent(this.#files.parent(path, "change"));
    if (!opened) return;
    const { place } = opened;
    await rm(place, { recursive: true, force: true });
    await removeOthers(dirname(place), asidePrefix(place));
  }

  /**
   * Opens the directory of a lock file.
   * @throws Error if the lock file is a link
   */
  async openLock(path: string): Promise<OpenPlace> {
    const opened = await this.#files.parent(path, "create");
    if ((await linkTarget(opened.place)) === undefined) return opened;
    await opened[Symbol.asyncDispose]();
    throw new Error(`${path} is a symbolic link and no lock file`);
  }

  /** Returns the result of a read. Undefined if the path does not exist. */
  async #read<T>(path: string, read: (place: string) => Promise<T>): Promise<T | undefined> {
    await using opened = await orAbsent(this.#files.target(path));
    return opened && (await orAbsent(read(opened.place)));
  }
}

/** Returns the prefix of temporary names. The prefix makes the files hidden. Kubelets and other readers ignore hidden files. */
function asidePrefix(place: string): string {
  return `.${basename(place)}.`;
}

function checkName(name: string): void {
  if (!/^[-._a-zA-Z0-9]+$/.test(name) || name === "." || name === "..")
    throw new TypeError(`${JSON.stringify(name)} is not the name of a file in a ConfigMap or Secret`);
}

async function holds(place: string, files: DiskFiles): Promise<boolean> {
  const present = await readAll(place);
  const names = Object.keys(files);
  if (!present || Object.keys(present).length !== names.length) return false;
  for (const [name, { content, mode }] of Object.entries(files)) {
    const found = present[name];
    if (!found?.equals(Buffer.from(content))) return false;
    if (((await stat(join(place, name))).mode & 0o777) !== mode) return false;
  }
  return true;
}

async function readAll(place: string): Promise<Readonly<Record<string, Buffer>> | undefined> {
  const names = await orAbsent(readdir(place));
  if (!names) return undefined;
  const files = await Promise.all(
    names.map(async (name) => [name, await readFile(join(place, name))] as const),
  );
  return Object.fromEntries(files);
}

const aside = /^(link-)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Removes temporary files of earlier processes that are next to a file or directory. The entry `kept` is not removed. */
async function removeOthers(directory: string, prefix: string, kept?: string): Promise<void> {
  for (const name of (await orAbsent(readdir(directory))) ?? [])
    if (name !== kept && name.startsWith(prefix) && aside.test(name.slice(prefix.length)))
      await rm(join(directory, name), { recursive: true, force: true });
}

async function writeDurably(place: string, content: Uint8Array | string, mode: number): Promise<void> {
  await writeFile(place, content, { mode, flush: true });
  const file = await open(place, "r");
  try {
    // The umask of the process may have changed the requested mode of the new file.
    await file.chmod(mode);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** New directory entries are durable only after a sync of the directory. */
async function syncDirectory(place: string): Promise<void> {
  const directory = await open(place, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

async function linkTarget(place: string): Promise<string | undefined> {
  try {
    return await readlink(place);
  } catch (error) {
    if (isCode(error, "ENOENT") || isCode(error, "EINVAL")) return undefined;
    throw error;
  }
}

async function orAbsent<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
