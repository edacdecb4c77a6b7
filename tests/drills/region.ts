import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { Fleet, leasesOf } from "../e2e/support/fleet.ts";
import { Program } from "../e2e/support/program.ts";
import { type Provider, startProvider } from "../e2e/support/service-process.ts";
import type { Target } from "./scrape-recorder.ts";
import { SmallDisk } from "./small-disk.ts";

/** PostgreSQL role of the service, without superuser rights. */
const role = "keelson_drills";

interface Process {
  readonly job: string;
  readonly program: Program;
}

/**
 * Region on one machine with the same processes as in production: two `rp`, monitor, portal, actuator, scheduler and gateway. The
 * processes use PostgreSQL with a role without superuser rights, and the simulated Azure with its clusters.
 */
export class Region implements AsyncDisposable {
  readonly #stack: AsyncDisposableStack;
  readonly fleet: Fleet;
  /** Disk with the data of PostgreSQL. */
  readonly disk: SmallDisk;
  readonly providers: readonly Provider[];
  readonly #processes: readonly Process[];

  private constructor(
    stack: AsyncDisposableStack,
    fleet: Fleet,
    disk: SmallDisk,
    providers: readonly Provider[],
    processes: readonly Process[],
  ) {
    this.#stack = stack;
    this.fleet = fleet;
    this.disk = disk;
    this.providers = providers;
    this.#processes = processes;
  }

  static async start(): Promise<Region> {
    await using stack = new AsyncDisposableStack();
    const names = Array.from({ length: queued + 1 }, (_, at) => nameOf(at));
    // The monitor scrapes clusters every second, because a recorded second counts as 15 s in the evaluation.
    const settings = { ...leasesOf(10_000), workers: 1, monitor: { everyMs: 1_000 } };
    const disk = stack.use(new SmallDisk());
    const options = {
      names,
      operators: "none",
      config: settings,
      postgres: { parentDirectory: disk.path },
    } as const;
    // The processes run for a long time, with Node's default options.
    const nodeOptions = { world: [], provider: [] };
    const fleet = stack.use(await Fleet.start({ ...options, nodeOptions }));
    await fleet.database.query(`create role ${role} login password '${role}'`);
    const config = JSON.parse(readFileSync(fleet.state.file("fleet.json"), "utf8"));
    writeConfig(fleet, { ...config, database: { kind: "postgres", url: fleet.databaseUrl } });
    const grants = ["rp", "monitor", "maintenance", "portal", "gateway"].map((each) => `${each}=${role}`);
    const migrated = await Program.run(
      "migrate",
      ...["--config", configOf(fleet)],
      ...grants.flatMap((grant) => ["--grant", grant]),
    );
    assert.equal(migrated.code, 0, migrated.stderr);
    const database = { kind: "postgres", url: urlFor(fleet), migrations: "require" };
    writeConfig(fleet, { ...config, database });
    const endpoints = fleet.state.file("endpoints.json");
    const providers: Provider[] = [];
    for (let at = 0; at < 2; at++)
      providers.push(await startProvider(stack, { config: configOf(fleet), endpoints }));
    const gateway = fleet.state.file("gateway.json");
    const { location, azure } = config;
    writeFileSync(
      gateway,
      JSON.stringify({
        location,
        azure,
        storageSuffix: "core.localhost",
        database: { kind: "postgres", url: urlFor(fleet) },
      }),
      { mode: 0o600 },
    );
    const metrics = ["--metrics-port", "0"];
    const started = [
      ["keelson-monitor", "monitor", "--config", configOf(fleet), ...metrics],
      ["keelson-portal", "portal", "--config", configOf(fleet), ...metrics],
      ["keelson-mimo-actuator", "maintenance", "actuator", "--config", configOf(fleet), ...metrics],
      ["keelson-mimo-scheduler", "maintenance", "scheduler", "--config", configOf(fleet), ...metrics],
      [
        "keelson-gateway",
        "gateway",
        "--config",
        gateway,
        "--connect-port",
        "0",
        "--tls-port",
        "0",
        ...metrics,
      ],
    ].map(([job = "", ...args]) => ({ job, program: stack.use(Program.start(...args)) }));
    await Promise.all(started.map(({ program }) => program.says(/"metrics"/)));
    const ofProviders = providers.map(({ program }) => ({ job: "keelson-rp", program }));
    return new Region(stack.move(), fleet, disk, providers, [...ofProviders, ...started]);
  }

  /** Returns all processes as scrape targets, with the jobs of the documented scrape configuration. */
  targets(): readonly Target[] {
    return this.#processes.map(({ job, program }, at) => ({
      job,
      instance: `${job}-${at}`,
      url: JSON.parse(program.stdout.split("\n")[0] ?? "{}").metrics,
    }));
  }

  program(job: string): Program {
    const found = this.#processes.find((each) => each.job === job);
    if (!found) throw new Error(`no process ${job}`);
    return found.program;
  }

  get configFile(): string {
    return configOf(this.fleet);
  }

  /** Reads the configuration file, changes it and writes it. */
  change(change: (config: Record<string, never>) => object): void {
    writeConfig(this.fleet, change(JSON.parse(readFileSync(this.configFile, "utf8"))));
  }

  /**
   * Sends a read and a write to every `rp`, like customers. The write adds a row, because a full disk still accepts changes of
   * rows in existing pages. The drill ignores failed requests.
   */
  async use(): Promise<void> {
    await Promise.all(
      this.providers.flatMap(({ client, program }) => {
        if (!program.running) return [];
        const path = `/subscriptions/${client.subscriptionId}`;
        const clusters = `${path}/providers/Microsoft.RedHatOpenShift/openShiftClusters`;
        return [
          client.call("GET", `${clusters}?api-version=2025-07-25`),
          client.call("PUT", `/subscriptions/${randomUUID()}?api-version=2.0`, { state: "Registered" }),
        ].map((call) => call.catch(() => undefined));
      }),
    );
  }

  /** Starts a further `rp` with this number of workers. Disposal stops it. */
  async furtherProvider(workers: number): Promise<AsyncDisposable> {
    const config = JSON.parse(readFileSync(this.configFile, "utf8"));
    const file = this.fleet.state.file("further.json");
    writeFileSync(file, JSON.stringify({ ...config, workers }), { mode: 0o600 });
    await using stack = new AsyncDisposableStack();
    await startProvider(stack, { config: file, endpoints: this.fleet.state.file("endpoints.json") });
    return stack.move();
  }

  async setStandbys(names: string): Promise<void> {
    await this.fleet.database.query(`alter system set synchronous_standby_names = '${names}'`);
    await this.fleet.database.query("select pg_reload_conf()");
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }
}

/** Number of waiting operations in the drill in which the queue grows. */
export const queued = 14;
export const nameOf = (at: number) => `drill${at}`;

const configOf = (fleet: Fleet) => fleet.state.file("drills.json");

function writeConfig(fleet: Fleet, config: object): void {
  writeFileSync(configOf(fleet), JSON.stringify(config), { mode: 0o600 });
}

function urlFor(fleet: Fleet): string {
  const url = new URL(fleet.databaseUrl);
  [url.username, url.password] = [role, role];
  return url.href;
}
