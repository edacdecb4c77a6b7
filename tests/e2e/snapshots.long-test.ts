import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { httpConnectTimeoutMs } from "@keelson/base";
import { Agent, request } from "undici";
import { parse } from "yaml";
import { ArmClient } from "./support/arm-client.ts";
import { eventually } from "./support/eventually.ts";
import { Program, StateDirectory } from "./support/program.ts";
import { WorldClient } from "./support/world-client.ts";

interface Kubeconfig {
  readonly clusters: readonly [
    { readonly cluster: { readonly server: string; readonly "certificate-authority-data": string } },
  ];
  readonly users: readonly [
    {
      readonly user: {
        readonly "client-certificate-data": string;
        readonly "client-key-data": string;
      };
    },
  ];
}

/** Administrator's connection to the API server of a cluster. */
async function clusterApi(state: StateDirectory, name: string) {
  const { stdout, stderr } = await Program.run("kubeconfig", name, "--state", state.path);
  assert.ok(stdout, stderr);
  const config: Kubeconfig = parse(stdout);
  const [{ cluster }] = config.clusters;
  const [{ user }] = config.users;
  const pem = (text: string) => Buffer.from(text, "base64").toString();
  const dispatcher = new Agent({
    connect: {
      timeout: httpConnectTimeoutMs,
      ca: pem(cluster["certificate-authority-data"]),
      cert: pem(user["client-certificate-data"]),
      key: pem(user["client-key-data"]),
    },
    bodyTimeout: 0,
  });
  return {
    dispatcher,
    url: `${cluster.server}/api/v1/namespaces/default/configmaps`,
    [Symbol.asyncDispose]: () => dispatcher.destroy(),
  };
}

describe("snapshots of the simulated world", { timeout: 900_000 }, () => {
  const state = new StateDirectory();
  let program: Program;

  const snapshot = (...args: string[]) => Program.run("sim", "snapshot", ...args, "--state", state.path);
  const reset = () => Program.run("sim", "reset", "--state", state.path, "-o", "json");
  const groups = async () => {
    await using world = new WorldClient(state.path);
    const path = `/subscriptions/${world.endpoints.subscriptionId}/resourcegroups`;
    const { value } = await world.azure("GET", path, "2021-04-01");
    return value.map(({ name }: { name: string }) => name);
  };
  const createGroup = async (name: string) => {
    await using world = new WorldClient(state.path);
    const path = `/subscriptions/${world.endpoints.subscriptionId}/resourceGroups/${name}`;
    await world.azure("PUT", path, "2021-04-01", { location: "eastus" });
  };

  before(async () => {
    program = Program.start("up", "--state", state.path, "--ports", "auto", "--cluster", "demo");
    await program.says(/endpoints/);
  });
  after(async () => {
    await program[Symbol.asyncDispose]();
    state[Symbol.dispose]();
  });

  test("a restore brings back clusters, Azure and the database, and ends watches of the replaced world", async (t) => {
    await createGroup("before");
    const saved = await snapshot("save", "base", "-o", "json");
    assert.equal(saved.code, 0, saved.stderr);
    assert.partialDeepStrictEqual(JSON.parse(saved.stdout), [{ name: "base" }]);

    await using api = await clusterApi(state, "demo");
    const { dispatcher, url } = api;
    const write = async (name: string) => {
      const body = JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name } });
      const headers = { "content-type": "application/json" };
      const created = await request(url, { dispatcher, method: "POST", headers, body });
      assert.equal(created.statusCode, 201, await created.body.text());
    };
    await write("later");
    const list = await request(url, { dispatcher });
    const { metadata }: { readonly metadata: { readonly resourceVersion: string } } = JSON.parse(
      await list.body.text(),
    );
    const watchUrl = `${url}?watch=true&resourceVersion=${metadata.resourceVersion}`;
    const watch = await request(watchUrl, { dispatcher });
    const ended = watch.body.text().then(
      () => "ended",
      () => "reset",
    );
    await createGroup("after");
    await using arm = new ArmClient(state.file("endpoints.json"));
    const path = `${arm.cluster("demo")}?api-version=2025-07-25`;
    const patched = await arm.call("PATCH", path, { tags: { changed: "yes" } });
    assert.equal((await arm.settle(patched.headers["azure-asyncoperation"])).status, "Succeeded");

    const restored = await snapshot("restore", "base", "-o", "json");
    assert.equal(restored.code, 0, restored.stderr);
    t.diagnostic(`restore: down ${JSON.parse(restored.stdout).downMs} ms`);
    assert.ok(["ended", "reset"].includes(await ended));

    assert.equal((await arm.call("GET", path)).body.tags?.changed, undefined);
    const names = await groups();
    assert.deepEqual([names.includes("before"), names.includes("after")], [true, false]);
    await eventually(async () => {
      const found = await request(`${url}/later`, { dispatcher });
      await found.body.dump();
      assert.equal(found.statusCode, 404);
    });
    const stale = await request(watchUrl, { dispatcher });
    assert.match(await stale.body.text(), /"code":410/, "a revision of the replaced world");
    await write("newer");
  });

  test("a snapshot is replaced only on request, and unknown snapshots are reported", async () => {
    const again = await snapshot("save", "base");
    assert.equal(again.code, 1);
    assert.match(again.stderr, /Snapshot "base" exists\. Use `--replace`/);
    assert.equal((await snapshot("save", "base", "--replace")).code, 0);
    const missing = await snapshot("restore", "nothing");
    assert.equal(missing.code, 1);
    assert.match(missing.stderr, /Snapshot "nothing" not found\. Run `keelson sim snapshot list`/);
    assert.match((await snapshot("list")).stdout, /^NAME +CREATED +VERSION +SIZE\nbase +\d{4}-/);
  });

  test("a reset deletes all clusters, a second one is as complete, and snapshots remain", async (t) => {
    for (const round of [1, 2]) {
      const outcome = await reset();
      assert.equal(outcome.code, 0, outcome.stderr);
      t.diagnostic(`reset ${round}: down ${JSON.parse(outcome.stdout).downMs} ms`);
      const list = await Program.run("cluster", "list", "--state", state.path, "-o", "json");
      assert.deepEqual(JSON.parse(list.stdout), []);
      assert.ok(!(await groups()).includes("before"));
      assert.equal(existsSync(state.file("demo.kubeconfig")), false);
      await createGroup("between");
    }
    const restored = await snapshot("restore", "base", "-o", "json");
    assert.equal(restored.code, 0, restored.stderr);
    assert.ok((await groups()).includes("before"));
    await using arm = new ArmClient(state.file("endpoints.json"));
    const path = `${arm.cluster("demo")}?api-version=2025-07-25`;
    const deleted = await arm.call("DELETE", path);
    assert.equal(deleted.status, 202);
    await eventually(async () => assert.equal((await arm.call("GET", path)).status, 404));
  });

  test("a removed snapshot is gone, and components were not restarted by faults", async () => {
    assert.equal((await snapshot("remove", "base")).code, 0);
    assert.deepEqual(JSON.parse((await snapshot("list", "-o", "json")).stdout), []);
    const { stdout } = await Program.run("status", "--state", state.path, "-o", "json");
    const { components }: { readonly components: readonly { component: string; restarts: number }[] } =
      JSON.parse(stdout);
    for (const { component, restarts } of components)
      if (component !== "operators") assert.equal(restarts, 0, component);
  });
});
