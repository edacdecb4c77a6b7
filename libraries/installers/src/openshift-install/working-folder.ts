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

/** Identifies a process by number and start time: numbers are reused. */
export interface ProcessMark {
  readonly pid: number;
  /** In the kernel's ticks; empty where the system has none. */
  readonly startedAt: string;
}

/**
 * The stage of an install:
 * `generating` nothing is in Azure yet, all starts over;
 * `generated` the graph is complete;
 * `creating` the installer was started, and must not be again;
 * `created` it has done its part.
 */
export type InstallStage = "generating" | "generated" | "creating" | "created";

export interface InstallRecord {
  readonly infraId: string;
  readonly stage: InstallStage;
  /** Of the stages `generating` and `creating`. */
  readonly process?: ProcessMark;
}

const ownerOnly = 0o700;
const ownerFile = 0o600;

/**
 * The files of one install, readable by their owner alone, since they are secret. They survive a crash, so that the
 * next process finds the installer that still runs.
 */
export class WorkingFolder {
  readonly path: string;

  /** `name` is a UUID: it becomes the name of the folder. */
  constructor(root: string, name: string) {
    this.path = join(root, name);
  }

  /** The installer's own folder. */
  get assets(): string {
    return join(this.path, "assets");
  }

  get graphFile(): string {
    return join(this.assets, ".openshift_install_state.json");
  }

  /** The installer's output. */
  get outputFile(): string {
    return join(this.path, "output.log");
  }

  get temporary(): string {
    return join(this.path, "tmp");
  }

  /** Creates the folder, empty. */
  create(): void {
    this.remove();
    for (const folder of [this.path, this.assets, this.temporary]) {
      mkdirSync(folder, { recursive: true, mode: ownerOnly });
      // Regardless of the umask.
      chmodSync(folder, ownerOnly);
    }
  }

  /** Nothing there is fine. */
  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }

  /** The last record; `undefined` without one. */
  record(): InstallRecord | undefined {
    const path = this.#recordFile;
    return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
  }

  /** The time of the last record; `undefined` without one. */
  changedAtMs(): number | undefined {
    return statSync(this.#recordFile, { throwIfNoEntry: false })?.mtimeMs;
  }

  /** Written aside and renamed: a crash leaves the old record or the new one. */
  write(record: InstallRecord): void {
    writeFileSync(`${this.#recordFile}.new`, JSON.stringify(record), { mode: ownerFile, flush: true });
    renameSync(`${this.#recordFile}.new`, this.#recordFile);
  }

  /** Returns the path of the file. */
  writeFile(relativePath: string, text: string): string {
    const path = join(this.path, relativePath);
    mkdirSync(dirname(path), { recursive: true, mode: ownerOnly });
    writeFileSync(path, text, { mode: ownerFile });
    return path;
  }

  get #recordFile(): string {
    return join(this.path, "install.json");
  }
}

const dayMs = 86_400_000;

/**
 * The folders below `root` whose certificates, good for a day, have expired: of clusters that another machine has
 * deleted.
 */
export function staleFolders(root: string, now: Date): readonly WorkingFolder[] {
  if (!existsSync(root)) return [];
  return readdirSync(root)
    .map((name) => new WorkingFolder(root, name))
    .filter((folder) => {
      const changed = folder.changedAtMs();
      return changed !== undefined && now.getTime() - changed > dayMs;
    });
}
