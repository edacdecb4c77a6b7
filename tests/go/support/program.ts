import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import process from "node:process";
import { promisify } from "node:util";

const run = promisify(execFile);
const root = resolve(import.meta.dirname, "../../..");
const sources = join(root, "tests/go");
const program = join(root, ".tools/go/clients");

/** Builds the Go program in this directory. If Go or its modules are not available, returns the reason instead of the program. */
export async function buildGoProgram(): Promise<{ readonly program: string } | { readonly missing: string }> {
  const go = (...args: readonly string[]) => run("go", [...args], { cwd: sources, timeout: 900_000 });
  try {
    await go("version");
  } catch {
    return { missing: "Go is not installed" };
  }
  try {
    await go("mod", "download");
  } catch (error) {
    const why = error instanceof Error ? error.message.split("\n").slice(0, 3).join(" ") : "";
    return { missing: `modules of Go cannot be downloaded: ${why}` };
  }
  await mkdir(join(root, ".tools/go"), { recursive: true });
  await go("vet", "./...");
  await go("build", "-buildvcs=false", "-o", program, ".");
  return { program };
}

/** Runs one command of the program and returns its results. */
export async function runGoProgram<Facts>(
  program: string,
  part: string,
  environment: Readonly<Record<string, string>>,
): Promise<Facts> {
  const env = { ...process.env, ...environment };
  const { stdout } = await run(program, [part], { env, timeout: 900_000 });
  const facts: Facts = JSON.parse(stdout);
  return facts;
}
