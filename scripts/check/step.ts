import { spawn } from "node:child_process";
import { once } from "node:events";

/** One command of `make check`. */
export interface Step {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
}

export interface StepResult {
  readonly name: string;
  readonly succeeded: boolean;
  /** Standard output and standard error in order of arrival. */
  readonly output: string;
}

/** Runs a command and collects its output. If the command cannot start, the output is the reason. */
export async function runStep({ name, command, args }: Step): Promise<StepResult> {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
    });
  try {
    const [code] = await once(child, "close");
    return { name, succeeded: code === 0, output };
  } catch (error) {
    return {
      name,
      succeeded: false,
      output: `${command}: ${error instanceof Error ? error.message : error}\n`,
    };
  }
}
