import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { messageOf } from "@keelson/base";
import { configErrors } from "../files/config-errors.ts";

const run = promisify(execFile);
const commandLimitMs = 10_000;
const maxOutputBytes = 65_536;
/** Time in ms for which a password is reused. A pool may open many connections simultaneously. */
const reusedForMs = 30_000;

/** Returns a function that reads a password from a file and removes the line break at its end. */
export function passwordFromFile(path: string): () => Promise<string> {
  return async () => {
    const text = await readFile(path, "utf8").catch((error: unknown) => {
      throw configErrors.InvalidConfiguration(
        `database.passwordFile: ${path} cannot be read: ${messageOf(error)}. Create the file, readable for this user.`,
      );
    });
    return withoutLineBreak(text);
  };
}

/** Returns a function that runs a command and returns its output. Calls within 30 s share one run. */
export function passwordFromCommand(command: readonly string[]): () => Promise<string> {
  const [file = "", ...args] = command;
  let last: { readonly atMs: number; readonly password: Promise<string> } | undefined;
  return () => {
    const now = performance.now();
    if (last && now - last.atMs < reusedForMs) return last.password;
    const password = run(file, args, { timeout: commandLimitMs, maxBuffer: maxOutputBytes }).then(
      ({ stdout }) => withoutLineBreak(stdout),
      (error: unknown) => {
        last = undefined;
        // The message contains only the arguments and never the output, which is the password.
        throw configErrors.InvalidConfiguration(
          `database.passwordCommand: ${file} failed: ${exitOf(error)}. Run the command by hand to see its messages.`,
        );
      },
    );
    last = { atMs: now, password };
    return password;
  };
}

function withoutLineBreak(text: string): string {
  return text.replace(/\r?\n$/, "");
}

function exitOf(error: unknown): string {
  const { code, killed } = Object(error);
  if (killed === true) return `no end within ${commandLimitMs / 1_000} s`;
  return typeof code === "number" ? `exit code ${code}` : String(code ?? "unknown");
}
