import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import type { JsonValue } from "@keelson/base";
import { audit, auditedCluster } from "@keelson/sim-azure";
import type { ArmClient } from "../e2e/support/arm-client.ts";
import type { exampleRequest } from "../e2e/support/cluster-request.ts";
import { Fleet, leasesOf, type Provider } from "../e2e/support/fleet.ts";
import { endedOperations, failedSteps } from "../e2e/support/stored-documents.ts";
import { WorldClient } from "../e2e/support/world-client.ts";
import { azureContents, type KeptCluster, leftOver, plantForeignResources } from "./azure-contents.ts";
import { Customers } from "./customers.ts";

export interface FaultyRunOptions {
  /** Number of clusters. Each cluster is created and updated. Seven of eight clusters are also deleted. */
  readonly clusters: number;
  /** Average time between two kills of a service process in milliseconds. */
  readonly killEveryMs: number;
  /** Maximum number of kills. Default: unlimited. */
  readonly maxKills?: number;
  readonly seed: number;
  readonly report: (line: string) => void;
  readonly signal: AbortSignal;
}

export interface FaultyRunResult {
  readonly operations: number;
  readonly kills: number;
  /** Number of faults injected into the service's Azure requests. */
  readonly injected: number;
}

const apiVersion = "2025-07-25";
/** Number of service processes. One of the processes is killed and restarted from time to time. */
const processes = 2;

/** Faults for ten percent of the requests. Faults of asynchronous operations exclude DNS, because DNS writes are synchronous. */
const faults = {
  unavailable: { kind: "server-error", status: 503, percent: 3, except: "Microsoft.RedHatOpenShift/*" },
  throttled: { kind: "throttled", percent: 3, except: "Microsoft.RedHatOpenShift/*" },
  failed: {
    kind: "operation-failed",
    percent: 3,
    type: "Microsoft.Compute/*,Microsoft.Network/*",
    except: "Microsoft.Network/dnszones*",
  },
  dropped: { kind: "dropped", percent: 1, except: "Microsoft.RedHatOpenShift/*" },
};

/**
 * Creates, updates and deletes clusters while ten percent of the service's Azure requests fail and its processes are killed.
 * @throws AssertionError if an operation fails, a deleted cluster leaves Azure resources, or resources of other owners are
 * missing
 */
export async function surviveFaultsOfAzure(options: FaultyRunOptions): Promise<FaultyRunResult> {
  const { report, signal } = options;
  const names = Array.from({ length: options.clusters }, (_, at) => `chaos${at}`);
  await using fleet = await Fleet.start({ names, config: leasesOf(10_000) });
  await using world = new WorldClient(fleet.state.path);
  await plantForeignResources(world);
  const run = new FaultyRun(fleet, options);
  await using _run = run;
  await run.start();
  await run.register(names);
  const before = await azureContents(world);
  await world.change({ faultSeed: options.seed, faults });
  const kept = names.filter((_, at) => at % 8 === 7);
  await Promise.all(names.map((name) => run.live(name, kept.includes(name))));
  await run.stop();
  const injected = (await world.faults()).reduce((sum, each) => sum + each.injected, 0);
  await world.change({ faults: null });
  report("the customers are done, and Azure's resources are compared with the documents");

  const operations = await endedOperations(fleet);
  assert.ok(
    operations >= options.clusters * 2 + (options.clusters - kept.length),
    `${operations} operations`,
  );
  const documents = await documentsOf(fleet);
  assert.deepEqual(
    documents.map(({ name }) => name),
    kept.toSorted(),
  );
  const after = await azureContents(world);
  assert.deepEqual(leftOver(after, before, documents), [], "nothing is left of clusters that are gone");
  const missing = before.filter((each) => !after.includes(each));
  assert.deepEqual(missing, [], "nothing of anybody else's is gone");
  const clusters = documents.map(({ id, cluster }) => auditedCluster(cluster, id));
  assert.deepEqual(audit(await world.inventory(), clusters), [], "Azure and the documents agree");
  for (const name of kept) await run.customers.delete(name);
  assert.deepEqual(leftOver(await azureContents(world), before, []), []);
  signal.throwIfAborted();
  return { operations, kills: run.kills, injected };
}

/** Runs service processes and customers, and kills service processes at random times. */
class FaultyRun implements AsyncDisposable {
  readonly #fleet: Fleet;
  readonly #options: FaultyRunOptions;
  readonly #alive: Provider[] = [];
  readonly #stop = new AbortController();
  readonly #requests = new Map<string, ReturnType<typeof exampleRequest>>();
  #killing: Promise<void> = Promise.resolve();
  readonly customers: Customers;
  kills = 0;

  constructor(fleet: Fleet, options: FaultyRunOptions) {
    this.#fleet = fleet;
    this.#options = options;
    const { report, signal } = options;
    const failures = (name: string) => failedSteps(fleet, name);
    this.customers = new Customers({ client: () => this.#client(), failures, apiVersion, report, signal });
  }

  async start(): Promise<void> {
    for (let at = 0; at < processes; at++) this.#alive.push(await this.#fleet.provider());
    this.#killing = this.#kill();
    this.#killing.catch(() => undefined);
  }

  /** Creates the customers' applications with their permanent role assignments. */
  async register(names: readonly string[]): Promise<void> {
    for (const name of names) this.#requests.set(name, await this.#client().clusterRequest(name));
  }

  /** Stops the kills. Running processes continue. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#killing;
  }

  async #kill(): Promise<void> {
    const { killEveryMs, maxKills = Number.POSITIVE_INFINITY, report } = this.#options;
    const signal = AbortSignal.any([this.#stop.signal, this.#options.signal]);
    while (!signal.aborted && this.kills < maxKills) {
      const waitMs = killEveryMs * (0.5 + Math.random());
      await delay(waitMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      const victim = this.#alive.shift();
      await victim?.program.signal("SIGKILL");
      this.kills++;
      report(`kill ${this.kills}`);
      this.#alive.push(await this.#fleet.provider());
    }
  }

  /** Creates, updates and, unless `isKept` is set, deletes one customer's cluster. */
  async live(name: string, isKept: boolean): Promise<void> {
    await delay(Math.random() * this.#options.clusters * 300);
    await this.customers.create(name, this.#requests.get(name) ?? {});
    await this.customers.update(name, { chaos: name });
    if (!isKept) await this.customers.delete(name);
  }

  #client(): ArmClient {
    const chosen = this.#alive[Math.floor(Math.random() * this.#alive.length)];
    if (!chosen) throw new Error("no process of the service lives");
    return chosen.client;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Ignores the error of `stop` because a previous caller of `stop` has already received it.
    await this.stop().catch(() => undefined);
  }
}

interface KeptDocument extends KeptCluster {
  /** Cluster in the stored document. */
  readonly cluster: JsonValue;
}

/** Returns the clusters with documents. @throws AssertionError if one of these clusters is busy or leased */
async function documentsOf({ database }: Fleet): Promise<readonly KeptDocument[]> {
  const query =
    "select id, body::jsonb->'openShiftCluster' as cluster, body::jsonb->'openShiftCluster'->>'name' as name, lease_owner as owner, queued_at as queued from openshift_clusters order by name";
  const { rows } = await database.query<KeptDocument & { owner: string | null; queued: Date | null }>(query);
  for (const { name, owner, queued } of rows)
    assert.deepEqual([owner, queued], [null, null], `${name} is idle`);
  return rows;
}
