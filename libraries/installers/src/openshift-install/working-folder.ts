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

/** A process that was started, told apart from a later one with its number by the time it began. */
export interface ProcessMark {
  readonly pid: number;
  /** In the kernel's ticks; empty where the system does not say. */
  readonly startedAt: string;
}

/**
 * How far an install is:
 * `generating` nothing is in Azure yet, all begins anew;
 * `generated` the graph is complete;
 * `creating` the installer was started, and from now on never again;
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
 * What is on disk of one install: for its owner alone, since nearly all of it is secret. It survives a crash of this
 * process, so that the next one finds the installer that still runs.
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

  /** Where everything that the installer prints goes. */
  get outputFile(): string {
    return join(this.path, "output.log");
  }

  get temporary(): string {
    return join(this.path, "tmp");
  }

  /** Makes the folder anew. */
  create(): void {
    this.remove();
    for (const folder of [this.path, this.assets, this.temporary]) {
      mkdirSync(folder, { recursive: true, mode: ownerOnly });
      // Whatever mask the process has.
      chmodSync(folder, ownerOnly);
    }
  }

  /** Nothing there is fine. */
  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }

  /** What was last recorded; `undefined` when there is no install here, or not even its beginning was recorded. */
  record(): InstallRecord | undefined {
    const path = this.#recordFile;
    return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
  }

  /** When something was last recorded; `undefined` when nothing was. */
  changedAtMs(): number | undefined {
    return statSync(this.#recordFile, { throwIfNoEntry: false })?.mtimeMs;
  }

  /** Written aside and renamed: a crash leaves the old record or the new one. */
  write(record: InstallRecord): void {
    writeFileSync(`${this.#recordFile}.new`, JSON.stringify(record), { mode: ownerFile, flush: true });
    renameSync(`${this.#recordFile}.new`, this.#recordFile);
  }

  /** Answers the path of the file. */
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
 * The folders below `root` that nobody can go on with: their certificates are good for a day. They are of clusters that
 * another machine has deleted.
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
