import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

/** Identifies a process by number and start time. The kernel reuses numbers. */
export interface ProcessMark {
  readonly pid: number;
  /** Ticks of the kernel. Empty if the system does not report them. */
  readonly startedAt: string;
}

/** Target of `create`. */
export type InstallerTarget = "manifests" | "cluster";

/** The last process of an install. */
export interface InstallRecord {
  readonly target: InstallerTarget;
  readonly process: ProcessMark;
}

/** Directories of the file system's root that the installer reads and writes by absolute path. */
export const privateDirectories = [".azure", "boundsasigningkey", "manifests", "output", "tmp"] as const;

const ownerOnly = 0o700;
const ownerFile = 0o600;

/**
 * Files of one install, readable only by their owner. They survive a crash, so that the next process finds a
 * running installer.
 */
export class InstallDirectory {
  readonly path: string;

  /** `name` is a UUID: it becomes the name of the directory. */
  constructor(parent: string, name: string) {
    this.path = join(parent, name);
  }

  /** Contains the private directories of the installer. */
  get files(): string {
    return join(this.path, "files");
  }

  /** Mount point of the installer's root. */
  get root(): string {
    return join(this.path, "root");
  }

  /** Work directory of the installer, `/output` in its root. */
  get workDirectory(): string {
    return join(this.files, "output");
  }

  /** Output of the process. */
  get logFile(): string {
    return join(this.path, "installer.log");
  }

  /** Creates the directory, empty. */
  create(): void {
    this.remove();
    const nested = privateDirectories.map((name) => join(this.files, name));
    for (const directory of [this.path, this.root, this.files, ...nested]) {
      mkdirSync(directory, { recursive: true, mode: ownerOnly });
      // Regardless of the umask.
      chmodSync(directory, ownerOnly);
    }
  }

  /** Removes the directory. A missing one is not an error. */
  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }

  /** Returns the last record. Undefined without one. */
  record(): InstallRecord | undefined {
    return existsSync(this.#recordFile) ? JSON.parse(readFileSync(this.#recordFile, "utf8")) : undefined;
  }

  /** Time of the last record. Undefined without one. */
  changedAtMs(): number | undefined {
    return statSync(this.#recordFile, { throwIfNoEntry: false })?.mtimeMs;
  }

  /** Replaces the record atomically. */
  write(record: InstallRecord): void {
    writeFileSync(`${this.#recordFile}.new`, JSON.stringify(record), { mode: ownerFile, flush: true });
    renameSync(`${this.#recordFile}.new`, this.#recordFile);
  }

  /** Writes a file of the installer. `path`: absolute path in the installer's root. */
  writeFile(path: string, content: string | Buffer): void {
    const file = join(this.files, path);
    mkdirSync(dirname(file), { recursive: true, mode: ownerOnly });
    writeFileSync(file, content, { mode: ownerFile });
  }

  get #recordFile(): string {
    return join(this.path, "install.json");
  }
}

const dayMs = 86_400_000;

/**
 * Returns directories below `parent` with expired certificates, which are valid for a day. Their clusters
 * were deleted by a different machine.
 */
export function staleDirectories(parent: string, now: Date): readonly InstallDirectory[] {
  if (!existsSync(parent)) return [];
  return readdirSync(parent)
    .map((name) => new InstallDirectory(parent, name))
    .filter((directory) => {
      const changed = directory.changedAtMs();
      return changed !== undefined && now.getTime() - changed > dayMs;
    });
}
