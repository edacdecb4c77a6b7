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

/** Identifies a process by its ID and start time, because the kernel reuses process IDs. */
export interface ProcessMark {
  readonly pid: number;
  /** Start time in clock ticks. Empty if the operating system does not report it. */
  readonly startedAt: string;
}

/** Target of the installer's command `create`. */
export type InstallerTarget = "manifests" | "cluster";

/** Record of the last installer process of an install. */
export interface InstallRecord {
  readonly target: InstallerTarget;
  readonly process: ProcessMark;
}

/**
 * Top-level directories that the installer reads and writes by absolute path. Each installation has its own copy of these
 * directories.
 */
export const privateDirectories = [".azure", "boundsasigningkey", "manifests", "output", "tmp"] as const;

const ownerOnly = 0o700;
const ownerFile = 0o600;

/**
 * Directory with the files of one installation, readable only by its owner. The directory survives a crash of the service, so the
 * next service process can find a running installer.
 */
export class InstallDirectory {
  readonly path: string;

  /** `name` is a UUID and becomes the name of the directory. */
  constructor(parent: string, name: string) {
    this.path = join(parent, name);
  }

  /** Directory that contains this installation's copies of `privateDirectories`. */
  get files(): string {
    return join(this.path, "files");
  }

  /** Mount point of the installer's root file system. */
  get root(): string {
    return join(this.path, "root");
  }

  /** Work directory of the installer, `/output` in its root. */
  get workDirectory(): string {
    return join(this.files, "output");
  }

  /** File with the output of the installer process. */
  get logFile(): string {
    return join(this.path, "installer.log");
  }

  /** Creates an empty directory. Existing files are removed. */
  create(): void {
    this.remove();
    const nested = privateDirectories.map((name) => join(this.files, name));
    for (const directory of [this.path, this.root, this.files, ...nested]) {
      mkdirSync(directory, { recursive: true, mode: ownerOnly });
      // The mode is set explicitly, because the umask may change it.
      chmodSync(directory, ownerOnly);
    }
  }

  /** Removes the directory. A missing directory is not an error. */
  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }

  /** Returns the last record of an installer process. Undefined if there is no record. */
  record(): InstallRecord | undefined {
    return existsSync(this.#recordFile) ? JSON.parse(readFileSync(this.#recordFile, "utf8")) : undefined;
  }

  /** Returns the time of the last record in ms. Undefined if there is no record. */
  changedAtMs(): number | undefined {
    return statSync(this.#recordFile, { throwIfNoEntry: false })?.mtimeMs;
  }

  /** Replaces the record atomically. */
  write(record: InstallRecord): void {
    writeFileSync(`${this.#recordFile}.new`, JSON.stringify(record), { mode: ownerFile, flush: true });
    renameSync(`${this.#recordFile}.new`, this.#recordFile);
  }

  /** Writes an input file of the installer. `path` is an absolute path in the installer's root. */
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
 * Returns the installation directories below `parent` with a record older than one day. The certificates in these directories
 * have expired. Such a directory remains if a process on a different machine has deleted the installation's cluster.
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
