import { writeFileSync } from "node:fs";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { createCertificateAuthority, issueCertificate, silentLogger } from "@keelson/base";
import { putSubscription } from "@keelson/cluster/testing";
import { create, createKeyring, generateKey, openDatabase } from "@keelson/database";
import { startPostgres } from "@keelson/database/testing";
import { databaseDriver, parseServiceConfig } from "@keelson/env";
import { definitions, type ServiceDatabase } from "@keelson/model";
import { standInDocument } from "../../../services/monitor/src/testing/stand-ins/stand-in.ts";
import { startStandInClusters } from "../../../services/monitor/src/testing/stand-ins/stand-in-clusters.ts";
import { Program, StateDirectory } from "./program.ts";

/** TLS cipher suite by monitor. Each monitor offers only one suite, so the suite of a request identifies the monitor. */
const ciphers = { one: "TLS_AES_128_GCM_SHA256", two: "TLS_CHACHA20_POLY1305_SHA256" } as const;
type MonitorName = keyof typeof ciphers;

interface Request {
  readonly atMs: number;
  readonly cluster: number;
  readonly by: MonitorName;
  /** True for the first request of a scrape. */
  readonly isVisit: boolean;
}

interface HeldResponses {
  by?: MonitorName | undefined;
  released?: PromiseWithResolvers<void>;
  /** Clusters that have received a request from the monitor since `holdResponses` was called. Their responses are held. */
  readonly clusters: Set<number>;
}

const subscriptionId = "33333333-3333-4333-8333-333333333333";
const bucketCount = 256;
const waitLimitMs = 120_000;
/** Milliseconds without requests after which a monitor counts as waiting for responses. */
const settledMs = 500;

/** Stub clusters with documents in PostgreSQL, and the monitor processes that scrape them. */
export class WatchedFleet implements AsyncDisposable {
  readonly #stack: AsyncDisposableStack;
  readonly #configFile: string;
  readonly #database: ServiceDatabase;
  readonly clusters: readonly number[];
  /** All requests to the clusters, in order. */
  readonly requests: readonly Request[];
  readonly #held: HeldResponses;

  private constructor(
    stack: AsyncDisposableStack,
    configFile: string,
    database: ServiceDatabase,
    clusters: readonly number[],
    requests: readonly Request[],
    held: HeldResponses,
  ) {
    this.#stack = stack;
    this.#configFile = configFile;
    this.#database = database;
    this.clusters = clusters;
    this.requests = requests;
    this.#held = held;
  }

  /** Creates the clusters. `monitor` is the monitor section of the configuration. */
  static async start(count: number, monitor: object): Promise<WatchedFleet> {
    await using stack = new AsyncDisposableStack();
    const state = stack.use(new StateDirectory());
    const requests: Request[] = [];
    const held: HeldResponses = { clusters: new Set() };
    const standIns = stack.use(
      await startStandInClusters(({ cluster, path, cipher }) => {
        const by = cipher === ciphers.one ? "one" : "two";
        if (cipher !== ciphers[by]) throw new Error(`a request by ${cipher}`);
        requests.push({ atMs: performance.now(), cluster, by, isVisit: path === "/healthz" });
        if (by !== held.by) return;
        held.clusters.add(cluster);
        return held.released?.promise;
      }),
    );
    const postgres = stack.use(await startPostgres());
    const key = generateKey();
    const value = await configOf(state, { url: await postgres.createDatabase(), key, monitor });
    const configFile = state.file("service.json");
    writeFileSync(configFile, JSON.stringify(value), { mode: 0o600 });
    const signal = AbortSignal.timeout(10 * 60_000);
    const database = stack.use(
      await openDatabase({
        driver: databaseDriver(parseServiceConfig(value, configFile)),
        definitions,
        keyring: createKeyring({ current: "1", keys: { "1": key } }),
        logger: silentLogger,
        signal,
      }),
    );
    await putSubscription(database, subscriptionId);
    const clusters = Array.from({ length: count }, (_, cluster) => cluster);
    for (const cluster of clusters) {
      const document = standInDocument(standIns, cluster, subscriptionId, bucketOf(cluster, count));
      const write = create(database.collections.clusters, document);
      await database.commit(subscriptionId, [write], { signal });
    }
    return new WatchedFleet(stack.move(), configFile, database, clusters, requests, held);
  }

  /** Starts a `keelson monitor` process. Disposal of the fleet stops it. */
  async monitor(name: MonitorName): Promise<Program> {
    const options = ["--liftoff-only", `--tls-cipher-list=${ciphers[name]}`];
    const args = ["monitor", "--config", this.#configFile, "--metrics-port", "0", "--log-level", "warn"];
    const program = this.#stack.use(Program.startUnder(options, ...args));
    await program.says(/"metrics"/);
    return program;
  }

  /** Returns the owner of each cluster. All are undefined before the first assignment. */
  async owners(): Promise<readonly (string | undefined)[]> {
    const signal = AbortSignal.timeout(waitLimitMs);
    const { bucketAllocations } = this.#database.collections;
    const stored = await bucketAllocations.find("monitor", "monitor", signal);
    const count = this.clusters.length;
    return this.clusters.map((cluster) => stored?.document.buckets[bucketOf(cluster, count)]);
  }

  /** Returns the time of each cluster's first scrape since `fromMs`. `by` selects one monitor. */
  firstVisits(fromMs: number, by?: MonitorName): ReadonlyMap<number, number> {
    const first = new Map<number, number>();
    for (const { atMs, cluster, isVisit, by: asker } of this.requests) {
      if (isVisit && atMs >= fromMs && (by === undefined || by === asker) && !first.has(cluster))
        first.set(cluster, atMs);
    }
    return first;
  }

  /** Returns the monitors that sent requests to a cluster, in order. Consecutive requests of one monitor count as one entry. */
  turns(cluster: number): readonly MonitorName[] {
    const askers = this.requests.filter((each) => each.cluster === cluster).map(({ by }) => by);
    return askers.filter((by, at) => by !== askers[at - 1]);
  }

  /** Waits for a monitor's next request during a scrape. */
  async inPass(by: MonitorName): Promise<void> {
    const from = this.requests.length;
    await this.until(() => this.requests.slice(from).some((each) => each.by === by && !each.isVisit), by);
  }

  /**
   * Holds all responses to a monitor until `releaseResponses` is called. Resolves when the monitor has sent a request to each of
   * these clusters and sends no further requests. At that time, all requests of the monitor have arrived.
   */
  async holdResponses(by: MonitorName, clusters: readonly number[]): Promise<void> {
    this.#held.clusters.clear();
    this.#held.released = Promise.withResolvers();
    this.#held.by = by;
    await this.until(() => clusters.every((cluster) => this.#held.clusters.has(cluster)), "all asked");
    const lastMs = () => this.requests.findLast((each) => each.by === by)?.atMs ?? 0;
    await this.until(() => performance.now() - lastMs() > settledMs, "no request");
  }

  releaseResponses(): void {
    this.#held.by = undefined;
    this.#held.released?.resolve();
  }

  async until(isSo: () => boolean, what: string): Promise<void> {
    for (const endMs = performance.now() + waitLimitMs; !isSo(); await delay(5))
      if (performance.now() > endMs) throw new Error(`never: ${what}`);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }
}

const bucketOf = (cluster: number, count: number) => Math.floor((cluster * bucketCount) / count);

interface ConfigRequest {
  /** URL of the PostgreSQL database. */
  readonly url: string;
  readonly key: Uint8Array;
  readonly monitor: object;
}

/** Azure host names do not resolve because scrapes of these clusters do not use them. */
async function configOf(state: StateDirectory, { url, key, monitor }: ConfigRequest) {
  const secret = Buffer.from(key).toString("base64");
  const authority = await createCertificateAuthority("fleet", 2);
  const own = await issueCertificate(authority, { commonName: "service", usage: "server", validDays: 2 });
  const [certificateFile, keyFile] = [state.file("tls.pem"), state.file("tls-key.pem")];
  writeFileSync(certificateFile, own.certificatePem);
  writeFileSync(keyFile, own.privateKeyPem, { mode: 0o600 });
  const graphKeyFile = state.file("graph.key");
  writeFileSync(graphKeyFile, Buffer.alloc(64).toString("base64"), { mode: 0o600 });
  const nowhere = "https://127.0.0.1:1";
  return {
    location: "eastus",
    domain: "eastus.example.org",
    tenantId: subscriptionId,
    subscriptionId,
    resourceGroup: "service",
    tls: { certificateFile, keyFile },
    callers: { kind: "anyone" },
    azure: { armEndpoint: nowhere, loginEndpoint: nowhere, audience: nowhere },
    firstParty: { clientId: subscriptionId, clientSecret: "unused" },
    database: { kind: "postgres", url },
    encryption: { current: "1", keys: { "1": secret } },
    skipTokenKey: secret,
    installer: {
      kind: "aro-installer",
      command: [process.execPath],
      workingFolder: state.path,
      graphKeyFile,
    },
    operatorImage: "registry.example.com/keelson:v1",
    certificateIssuer: { kind: "local", caFile: certificateFile, caKeyFile: keyFile },
    monitor,
  };
}
