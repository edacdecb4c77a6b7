import { execFile } from "node:child_process";
import { globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";

const root = join(import.meta.dirname, "../../..");
const run = promisify(execFile);

/** Virtual environment that `scripts/install-python.sh` creates. */
const tools = join(root, ".tools/python");
/** Directory with pytest for environments that lack it. */
export const pytestModules = join(tools, "pytest");
export const clientsFolder = join(root, "clients");

/** Wheel of a package in `clients/`. It is built like for publication and unpacked in Python's module path. */
export class BuiltWheel implements Disposable {
  /** Directory of the unpacked modules. */
  readonly installed: string;
  readonly file: string;
  readonly #folder: string;

  private constructor(folder: string, file: string) {
    this.#folder = folder;
    this.installed = join(folder, "installed");
    this.file = file;
  }

  static async build(name: string): Promise<BuiltWheel> {
    const folder = mkdtempSync(join(tmpdir(), "keelson-wheel-"));
    try {
      const hatch = ["-m", "hatchling", "build", "-t", "wheel", "-d", folder];
      await python(hatch, { cwd: join(clientsFolder, name) });
      const wheel = new BuiltWheel(folder, join(folder, globSync("*.whl", { cwd: folder })[0] ?? ""));
      const pip = ["-m", "pip", "install", "-q", "--no-deps", "--no-index", "--disable-pip-version-check"];
      await python([...pip, "--target", wheel.installed, wheel.file]);
      return wheel;
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

export interface PythonOptions {
  readonly cwd?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Python program of a different environment. */
  readonly program?: string;
}

/** Runs Python until it exits. If it fails, the error contains its output. */
export async function python(
  words: readonly string[],
  { cwd, environment = {}, program = join(tools, "bin/python") }: PythonOptions = {},
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const env = { PATH: process.env.PATH, PYTHONDONTWRITEBYTECODE: "1", ...environment };
  try {
    return await run(program, words, { cwd, env, maxBuffer: 64 << 20 });
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`python ${words.join(" ")} failed:\n${stdout}${stderr}`);
  }
}
