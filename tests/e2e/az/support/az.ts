import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

/** Tested releases of azure-cli. `scripts/install-az.sh` installs each into a separate environment. */
export const azVersions = { older: "2.74.0", newest: "2.91.0" } as const;
export type AzVersion = (typeof azVersions)[keyof typeof azVersions];

/** Command timeout in milliseconds. Only a command that hangs exceeds it. */
const timeoutMs = 240_000;

export interface AzOutcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface AzOptions {
  readonly version: AzVersion;
  /** Separate directory for the sign-in state. */
  readonly configDirectory: string;
  /** Environment variables in addition to `PATH` and `HOME`. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Unmodified `az` of one release with its own configuration directory. */
export class Az {
  readonly version: AzVersion;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #program: string;

  constructor({ version, configDirectory, environment }: AzOptions) {
    mkdirSync(configDirectory, { recursive: true });
    this.version = version;
    this.#program = join(import.meta.dirname, "../../../../.tools/az", version, "bin/az");
    this.#environment = {
      PATH: process.env.PATH ?? "",
      HOME: configDirectory,
      ...environment,
      AZURE_CONFIG_DIR: configDirectory,
    };
  }

  /** Runs a command until it exits. Accepts any exit code. */
  run(...words: string[]): Promise<AzOutcome> {
    return new Promise((resolve, reject) => {
      const child = spawn(this.#program, words, {
        cwd: this.#environment.HOME,
        env: this.#environment,
        stdio: ["ignore", "pipe", "pipe"],
        timeout: timeoutMs,
      });
      let [stdout, stderr] = ["", ""];
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        stdout += text;
      });
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        stderr += text;
      });
      child.on("error", reject);
      child.on("close", (code) => resolve({ code, stdout, stderr }));
    });
  }

  /** Runs a command that must succeed. Returns its output. */
  async text(...words: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(...words);
    if (code === 0) return stdout;
    throw new Error(`az ${this.version} ${words.join(" ")}: exit code ${code}\n${stderr}${stdout}`);
  }

  /** Runs a command and returns its output as parsed JSON. Undefined if there is no output. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into JSON of every shape
  async json(...words: string[]): Promise<any> {
    const text = await this.text(...words);
    return text.trim() === "" ? undefined : JSON.parse(text);
  }

  signIn({ clientId, clientSecret, tenantId }: SignIn): Promise<readonly { readonly id: string }[]> {
    return this.json(
      ...["login", "--service-principal", "--tenant", tenantId],
      ...["--username", clientId, `--password=${clientSecret}`],
    );
  }
}

export interface SignIn {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly tenantId: string;
}
