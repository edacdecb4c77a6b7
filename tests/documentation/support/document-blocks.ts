import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

const root = resolve(import.meta.dirname, "../../..");

/** Returns the shell blocks of a document in order. The path is relative to the repository root. */
export function shellBlocks(path: string): readonly string[] {
  const page = readFileSync(join(root, path), "utf8");
  return [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = ""]) => block);
}

/** Runs a block with bash. Returns standard output. Rejects with the complete output if a command fails. */
export async function runBlock(
  block: string | undefined,
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<string> {
  if (block === undefined) throw new Error("the document has too few shell blocks");
  const { stdout } = await promisify(execFile)("bash", ["-euo", "pipefail", "-c", block], {
    ...options,
    timeout: 600_000,
    maxBuffer: 16 << 20,
  });
  return stdout;
}
