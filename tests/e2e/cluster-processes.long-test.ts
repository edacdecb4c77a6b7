/** Runs simulated clusters in two processes and kills one of them. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import process from "node:process";
import { after, before, describe, test } from "node:test";
import { httpConnectTimeoutMs } from "@keelson/base";
import { Agent, request } from "undici";
import { parse } from "yaml";
import { ArmClient } from "./support/arm-client.ts";
import { eventually } from "./support/eventually.ts";
import { Program, StateDirectory } from "./support/program.ts";
import { WorldClient } from "./support/world-client.ts";

/** Maximum number of clusters. Two are usually enough, because a hash assigns each cluster to a process. */
const maxClusters = 20;
const names = Array.from({ length: maxClusters }, (_, index) => `many${index}`);

interface Component {
  readonly component: string;
  readonly process?: number;
  readonly restarts: number;
  readonly state: string;
}

/** Administrator's connection to the API server of a cluster. */
interface ClusterApi extends AsyncDisposable {
  readonly server: URL;
  status(path: string): Promise<number>;
}

describe("simulated clusters in two processes", { timeout: 900_000 }, () => {
  const state = new StateDirectory();
  const flags = ["--state", state.path, "--ports", "auto", "--no-cluster", "--subnets-for", ...names];
  const without = ["--without", "monitor", "portal", "console"];
  let program: Program;
  let client: ArmClient;
  /** One cluster of each process. */
  let apis: readonly [ClusterApi, ClusterApi];

  const start = async (...more: string[]) => {
    program = Program.start("up", ...flags, ...without, ...more);
    await program.says(/endpoints/);
  };
  const componentOf = (name: string) => {
    const { components }: { components: readonly Component[] } = JSON.parse(
      readFileSync(state.file("components.json"), "utf8"),
    );
    return components.find(({ component }) => component === name);
  };
  const connect = async (name: string): Promise<ClusterApi> => {
    const { stdout, stderr } = await Program.run("kubeconfig", name, "--state", state.path);
    assert.ok(stdout, stderr);
    const { clusters, users } = parse(stdout);
    const pem = (text: string) => Buffer.from(text, "base64").toString();
    const { user } = users[0];
    const server = new URL(clusters[0].cluster.server);
    const agent = new Agent({
      connect: {
        timeout: httpConnectTimeoutMs,
        ca: pem(clusters[0].cluster["certificate-authority-data"]),
        cert: pem(user["client-certificate-data"]),
        key: pem(user["client-key-data"]),
      },
    });
    return {
      server,
      async status(path) {
        const response = await request(`${server}${path}`, { dispatcher: agent });
        await response.body.dump();
        return response.statusCode;
      },
      [Symbol.asyncDispose]: () => agent.destroy(),
    };
  };
  /** Creates clusters until each process runs one. Returns a connection to one cluster of each process. */
  const createClusters = async (): Promise<readonly [ClusterApi, ClusterApi]> => {
    const { clusters } = JSON.parse(readFileSync(state.file("endpoints.json"), "utf8"));
    let [first, second]: (ClusterApi | undefined)[] = [];
    for (const name of names) {
      if (first && second) return [first, second];
      const created = await client.createCluster(name);
      const { status } = await client.settle(created.headers["azure-asyncoperation"]);
      assert.equal(status, "Succeeded");
      const api = await connect(name);
      if (api.server.origin === clusters) first ??= api;
      else second ??= api;
    }
    assert.ok(first && second, "all clusters run in the same process");
    return [first, second];
  };
  /** Kills a process, calls `during`, and waits until the process serves again. */
  const killed = async (name: string, during: () => Promise<void>) => {
    const { process: pid = 0, restarts = 0 } = componentOf(name) ?? {};
    process.kill(pid, "SIGKILL");
    await during();
    await eventually(async () => {
      const found = componentOf(name);
      assert.deepEqual([found?.state, found?.restarts], ["serving", restarts + 1]);
    });
  };

  before(async () => {
    await start("--cluster-processes", "2");
    client = new ArmClient(state.file("endpoints.json"));
    await client.registerSubscription();
    apis = await createClusters();
  });
  after(async () => {
    for (const each of apis ?? []) await each[Symbol.asyncDispose]();
    await client?.[Symbol.asyncDispose]();
    await program[Symbol.asyncDispose]();
    state[Symbol.dispose]();
  });

  test("a killed process interrupts only its own clusters, and all clusters work after its restart", async () => {
    const [first, second] = apis;
    for (const [name, other] of [
      ["clusters-2", first],
      ["clusters", second],
    ] as const) {
      await killed(name, async () => assert.equal(await other.status("/api/v1/nodes"), 200));
      for (const each of apis)
        await eventually(async () => assert.equal(await each.status("/api/v1/nodes"), 200));
    }
  });

  test("a fault applies to the clusters of both processes, also after a restart of the second one", async () => {
    await using world = new WorldClient(state.path);
    const { id } = await world.clusters("POST", "/faults", { kind: "api-unhealthy" });
    const unhealthy = async () => {
      for (const each of apis) assert.equal(await each.status("/readyz"), 500);
    };
    await eventually(unhealthy);
    await killed("clusters-2", async () => undefined);
    await eventually(unhealthy);
    await world.clusters("DELETE", `/faults/${id}`);
    for (const each of apis) await eventually(async () => assert.equal(await each.status("/readyz"), 200));
  });

  test("the host names of all clusters have the port of the first process", async () => {
    const { clusters } = JSON.parse(readFileSync(state.file("endpoints.json"), "utf8"));
    const list = await Program.run("cluster", "list", "--state", state.path, "-o", "json");
    const created: readonly { name: string }[] = JSON.parse(list.stdout);
    assert.ok(created.length > 1);
    for (const { name } of created) {
      const { body } = await client.call("GET", `${client.cluster(name)}?api-version=2025-07-25`);
      const domain: string = body.properties.clusterProfile.domain;
      const host = domain.includes(".") ? `api.${domain}` : `api.${domain}.${zoneOf(state)}`;
      const agent = new Agent({
        connect: { timeout: httpConnectTimeoutMs, servername: host, rejectUnauthorized: false },
      });
      const response = await request(`${clusters}/readyz`, { dispatcher: agent });
      await response.body.dump();
      await agent.destroy();
      assert.equal(response.statusCode, 200, host);
    }
  });

  test("a second start keeps the number of processes and refuses a different one", async () => {
    assert.equal(await program.signal("SIGTERM"), 0);
    const refused = await Program.run("up", ...flags, "--cluster-processes", "3");
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /--cluster-processes 3 is not possible: .*created with 2/s);
    const sim = await Program.run("sim", "--state", state.path);
    assert.equal(sim.code, 2);
    await start();
    assert.equal(componentOf("clusters-2")?.state, "serving");
    for (const each of apis)
      await eventually(async () => assert.equal(await each.status("/api/v1/nodes"), 200));
  });
});

/** Returns the DNS zone of the clusters. */
function zoneOf(state: StateDirectory): string {
  const { domain }: { domain: string } = JSON.parse(readFileSync(state.file("service.json"), "utf8"));
  return domain;
}
