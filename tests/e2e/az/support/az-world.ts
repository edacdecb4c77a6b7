import assert from "node:assert/strict";
import { parseEnv } from "node:util";
import { type Endpoints, readEndpoints } from "../../support/endpoints.ts";
import { Program, StateDirectory } from "../../support/program.ts";
import { Az, type AzVersion } from "./az.ts";

/** Service and simulated Azure in a separate process, and `az` configured like in the README. */
export class AzWorld implements AsyncDisposable {
  readonly state: StateDirectory;
  readonly endpoints: Endpoints;
  /** Variables that `keelson az-env` prints. */
  readonly environment: Readonly<Record<string, string>>;
  readonly #program: Program;

  private constructor(
    state: StateDirectory,
    program: Program,
    endpoints: Endpoints,
    environment: Readonly<Record<string, string>>,
  ) {
    this.state = state;
    this.#program = program;
    this.endpoints = endpoints;
    this.environment = environment;
  }

  static async start(...flags: string[]): Promise<AzWorld> {
    await using stack = new AsyncDisposableStack();
    const state = stack.use(new StateDirectory());
    const place = ["--state", state.path];
    const program = stack.use(Program.start("up", ...place, "--ports", "auto", "--no-cluster", ...flags));
    await program.says(/endpoints/, 180_000);
    const exported = await Program.run("az-env", ...place);
    assert.equal(exported.code, 0, exported.stderr);
    const environment = variables(exported.stdout);
    const world = new AzWorld(state, program, readEndpoints(state.file("endpoints.json")), environment);
    stack.move();
    return world;
  }

  /**
   * Returns an `az` with the variables of `keelson az-env`. `change` overrides variables. An undefined value removes the
   * variable.
   */
  az(version: AzVersion, name: string, change: Readonly<Record<string, string | undefined>> = {}): Az {
    const all = Object.entries({ ...this.environment, ...change });
    const environment = Object.fromEntries(
      all.flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const])),
    );
    return new Az({ version, configDirectory: this.state.file(`az-${name}`), environment });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#program[Symbol.asyncDispose]();
    this.state[Symbol.dispose]();
  }
}

/** Parses lines of the form `export NAME='value'`. */
function variables(exports: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [name, value] of Object.entries(parseEnv(exports))) if (value !== undefined) found[name] = value;
  return found;
}
