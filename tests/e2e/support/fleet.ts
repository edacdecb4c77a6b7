import { readFileSync, writeFileSync } from "node:fs";
import { type PostgresServer, type PostgresServerOptions, startPostgres } from "@keelson/database/testing";
import pg from "pg";
import { Program, StateDirectory } from "./program.ts";
import { type Provider, startProvider } from "./service-process.ts";
import { type Body, documentsInTables, type StoredDocuments } from "./stored-documents.ts";

export type { Provider };

export interface FleetOptions {
  /** Names of the clusters for which subnets are created. */
  readonly names: readonly string[];
  /** `main.ts` of an earlier version. It runs the simulation and writes the configuration. */
  readonly worldScript?: string;
  /** Additional flags for `keelson sim`. */
  readonly worldFlags?: readonly string[];
  /**
   * Execution mode of operator pods in the simulation. Default: the value of `KEELSON_OPERATORS`, or `none` if this variable is
   * not set.
   */
  readonly operators?: "none" | "process" | "shared";
  /** Configuration properties of the service that override the defaults. */
  readonly config?: object;
  readonly postgres?: PostgresServerOptions;
  /** Node.js options of the simulation process and the resource providers. Default: the options of `Program.start`. */
  readonly nodeOptions?: { readonly world: readonly string[]; readonly provider: readonly string[] };
}

/** Simulation and PostgreSQL server. Starts resource providers that use both. */
export class Fleet implements StoredDocuments, AsyncDisposable {
  readonly #stack = new AsyncDisposableStack();
  readonly state = this.#stack.use(new StateDirectory());
  readonly postgres: PostgresServer;
  readonly databaseUrl: string;
  readonly #providerOptions: readonly string[] | undefined;
  database: pg.Client;
  readonly world: Program;

  private constructor(postgres: PostgresServer, url: string, options: FleetOptions) {
    const { names, operators, nodeOptions } = options;
    this.postgres = this.#stack.use(postgres);
    this.databaseUrl = url;
    this.#providerOptions = nodeOptions?.provider;
    this.database = new pg.Client(url);
    this.database.on("error", () => undefined);
    const flags = ["--state", this.state.path, "--ports", "auto", "--log-level", "warn"];
    flags.push(...(options.worldFlags ?? []));
    if (operators) flags.push("--operators", operators);
    const subnets = names.length > 0 ? ["--subnets-for", ...names] : [];
    const args = ["sim", ...flags, ...subnets];
    this.world = this.#stack.use(
      options.worldScript === undefined
        ? Program.startUnder(nodeOptions?.world, ...args)
        : Program.startOf(options.worldScript, ...args),
    );
  }

  /** Replaces the connection of `database`. After a stop of the PostgreSQL server, the old connection is unusable. */
  async reconnect(): Promise<void> {
    await this.database.end().catch(() => undefined);
    this.database = await connect(this.databaseUrl);
  }

  static async start(options: FleetOptions): Promise<Fleet> {
    const postgres = await startPostgres(options.postgres);
    const fleet = new Fleet(postgres, await postgres.createDatabase(), options);
    try {
      await fleet.database.connect();
      fleet.#stack.defer(() => fleet.database.end());
      await fleet.world.says(/clusters/);
      const config: object = JSON.parse(readFileSync(fleet.state.file("service.json"), "utf8"));
      const changed = JSON.stringify({ ...config, ...options.config });
      writeFileSync(fleet.state.file("fleet.json"), changed, { mode: 0o600 });
      return fleet;
    } catch (error) {
      await fleet[Symbol.asyncDispose]();
      throw error;
    }
  }

  /**
   * Starts a further service process with its own client. `script` is the `main.ts` of an earlier version. Disposal of the fleet
   * stops the process.
   */
  provider(script?: string, flags: readonly string[] = []): Promise<Provider> {
    return startProvider(this.#stack, {
      config: this.state.file("fleet.json"),
      flags: ["--database", this.databaseUrl, ...flags],
      endpoints: this.state.file("endpoints.json"),
      script,
      nodeOptions: this.#providerOptions,
    });
  }

  list(collection: string): Promise<readonly Body[]> {
    return documentsInTables((sql, values) => this.database.query(sql, [...values])).list(collection);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  // The error can be ignored because the next query also fails if the server has stopped.
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

/** Returns lease settings for fast failover. Very short leases expire on a busy machine. */
export function leasesOf(leaseMs: number): { readonly leaseMs: number; readonly heartbeatMs: number } {
  return { leaseMs, heartbeatMs: leaseMs / 10 };
}
