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
export const clientsDirectory = join(root, "clients");

/** Wheel of a package in `clients/`. It is built like for publication and unpacked in Python's module path. */
export class BuiltWheel implements Disposable {
  /** Directory of the unpacked modules. */
  readonly installed: string;
  readonly file: string;
  readonly #directory: string;

  private constructor(directory: string, file: string) {
    this.#directory = directory;
    this.installed = join(directory, "installed");
    this.file = file;
  }

  static async build(name: string): Promise<BuiltWheel> {
    const directory = mkdtempSync(join(tmpdir(), "keelson-wheel-"));
    try {
      const hatch = ["-m", "hatchling", "build", "-t", "wheel", "-d", directory];
      await python(hatch, { cwd: join(clientsDirectory, name) });
      const wheel = new BuiltWheel(
        directory,
        join(directory, globSync("*.whl", { cwd: directory })[0] ?? ""),
      );
      const pip = ["-m", "pip", "install", "-q", "--no-deps", "--no-index", "--disable-pip-version-check"];
      await python([...pip, "--target", wheel.installed, wheel.file]);
      return wheel;
    } catch (error) {
      rmSync(directory, { recursive: true, force: true });
      throw error;
    }
  }

  [Symbol.dispose](): void {
    rmSync(this.#directory, { recursive: true, force: true });
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
