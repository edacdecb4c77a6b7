import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { httpConnectTimeoutMs } from "@keelson/base";
import { databaseRoles } from "@keelson/database";
import { Agent, request } from "undici";
import type { Fleet, Provider } from "./support/fleet.ts";
import { Program } from "./support/program.ts";
import { startProvider } from "./support/service-process.ts";

/** Cluster that the tests create. */
export const roleCluster = "rights";
const name = roleCluster;
const syncCluster = "f83e56af-25dc-4990-b4f9-3ee25b2f62e0";
const stack = new AsyncDisposableStack();
let fleet: Fleet;
let provider: Provider;
const programs = new Map<string, Program>();

async function startRoles(): Promise<void> {
  for (const role of databaseRoles)
    await fleet.database.query(`create role keelson_${role} login password 'p'`);
  const grants = databaseRoles.flatMap((role) => ["--grant", `${role}=keelson_${role}`]);
  const migrated = await Program.run("migrate", "--config", configOf("owner", fleet.databaseUrl), ...grants);
  assert.equal(migrated.code, 0, migrated.stderr);
  assert.match(migrated.stdout, /^\d+ migrations applied\n\d+ grants changed\n$/);

  provider = await startProvider(stack, {
    config: configOf("rp"),
    flags: ["--log-level", "info"],
    endpoints: fleet.state.file("endpoints.json"),
  });
  programs.set("rp", provider.program);
  await Promise.all([
    start("monitor", [
      "monitor",
      "--config",
      configOf("monitor", undefined, { monitor: { everyMs: 1_000 } }),
    ]),
    start("actuator", ["maintenance", "actuator", "--config", configOf("maintenance")]),
    start("scheduler", ["maintenance", "scheduler", "--config", configOf("maintenance")]),
    start("portal", ["portal", "--config", configOf("portal"), "--port", "0", "--ssh-port", "0"]),
    start("gateway", ["gateway", "--config", gatewayConfig(), "--connect-port", "0", "--tls-port", "0"]),
  ]);
}

async function start(role: string, args: readonly string[]): Promise<void> {
  const program = stack.use(Program.start(...args, "--metrics-port", "0", "--log-level", "info"));
  programs.set(role, program);
  await program.says(/"metrics"/);
}

/** Writes a configuration file with the PostgreSQL user of a service role. Returns the path of the file. */
function configOf(role: string, url = urlOf(role), changes: object = {}): string {
  const config: object = JSON.parse(readFileSync(fleet.state.file("fleet.json"), "utf8"));
  const file = fleet.state.file(`${role}.json`);
  const database = { kind: "postgres", url, migrations: "require" };
  writeFileSync(file, JSON.stringify({ ...config, ...changes, database }), { mode: 0o600 });
  return file;
}

function gatewayConfig(): string {
  const { location, azure } = JSON.parse(readFileSync(fleet.state.file("fleet.json"), "utf8"));
  const file = fleet.state.file("gateway.json");
  const database = { kind: "postgres", url: urlOf("gateway") };
  writeFileSync(file, JSON.stringify({ location, azure, storageSuffix: "core.windows.net", database }));
  return file;
}

function urlOf(role: string): string {
  const url = new URL(fleet.databaseUrl);
  url.username = `keelson_${role}`;
  url.password = "p";
  return url.href;
}

const output = (role: string) => JSON.parse(programs.get(role)?.stdout ?? "{}");

async function until(isSo: () => Promise<boolean>, what: string): Promise<void> {
  for (const endMs = performance.now() + 300_000; !(await isSo()); await delay(50))
    if (performance.now() > endMs) throw new Error(`never: ${what}\n${problems().join("\n")}`);
}

/** Returns log lines about rejected SQL statements. */
const problems = () =>
  [...programs].flatMap(([role, { stderr }]) =>
    stderr
      .split("\n")
      .filter((line) => line.includes("permission denied"))
      .map((line) => `${role}: ${line}`),
  );

const count = async (text: string) => Number((await fleet.database.query(text)).rows[0]?.count);

/**
 * Runs each role of the service as a process. The PostgreSQL user of each process has only the rights that `keelson migrate
 * --grant` grants. Uses the empty database of the fleet.
 */
export function testDatabaseRoles(fleetOf: () => Fleet): void {
  before(async () => {
    fleet = fleetOf();
    await startRoles();
  });
  after(() => stack[Symbol.asyncDispose]());

  test("each role works with its own rights: a cluster is created, monitored, maintained, shown and deleted", {
    timeout: 900_000,
  }, async () => {
    const { client } = provider;
    await client.createCluster(name);
    assert.equal(await client.terminal(name), "Succeeded");

    // The monitor distributes buckets and stores the cluster's health.
    await until(
      async () => (await count("select count(*) from cluster_health")) === 1,
      "the monitor stored health",
    );
    // Tests the actuator and the scheduler.
    const task = { maintenanceTaskID: syncCluster };
    const admin = (path: string) => `/admin${client.cluster(name)}/${path}?api-version=admin`;
    const planned = await client.call("PUT", admin("maintenancemanifests"), task);
    assert.equal(planned.status, 201, JSON.stringify(planned.body));
    const schedule = {
      ...{
        id: "daily",
        state: "Enabled",
        schedule: "*-*-* 02:00",
        scheduleAcross: "1h",
        lookForwardCount: 1,
      },
      ...{ ...task, selectors: [{ key: "subscriptionState", operator: "in", values: ["Registered"] }] },
    };
    const scheduled = await client.call("PUT", "/admin/maintenanceschedules?api-version=admin", schedule);
    assert.equal(scheduled.status, 201, JSON.stringify(scheduled.body));
    const manifests = "select count(*) from maintenance_manifests where";
    await until(
      async () => (await count(`${manifests} state = 'Completed' and created_by_schedule is null`)) === 1,
      "the actuator completed the manifest",
    );
    await until(
      async () => (await count(`${manifests} created_by_schedule = 'daily'`)) === 1,
      "the scheduler planned a manifest",
    );
    await portalTour();

    const gateway = await request(`${output("gateway").metrics.replace(/\/metrics$/, "")}/healthz/ready`);
    assert.equal(gateway.statusCode, 200);
    await gateway.body.dump();

    const deleted = await client.call("DELETE", `${client.cluster(name)}?api-version=2025-07-25`);
    assert.equal(deleted.status, 202);
    await until(
      async () => (await client.call("GET", `${client.cluster(name)}?api-version=2025-07-25`)).status === 404,
      "the cluster is deleted",
    );
    assert.deepEqual(problems(), []);
    for (const [role, { running, stderr }] of programs) assert.ok(running, `${role}: ${stderr}`);
  });
}

/** Lists clusters, requests a kubeconfig and signs out, like a portal user. */
async function portalTour(): Promise<void> {
  const { portal } = JSON.parse(readFileSync(fleet.state.file("fleet.json"), "utf8"));
  const groups = [...portal.signIn.groups.access, ...portal.signIn.groups.elevated].join(",");
  const flags = [
    "--username",
    "ada@example.com",
    "--groups",
    groups,
    "--config",
    fleet.state.file("portal.json"),
  ];
  const signedIn = await Program.run("portalauth", ...flags);
  assert.equal(signedIn.code, 0, signedIn.stderr);
  const url = `https://localhost:${output("portal").https}`;
  const agent = new Agent({
    connect: { timeout: httpConnectTimeoutMs, ca: readFileSync(fleet.state.file("ca.pem"), "utf8") },
  });
  const cookies = [signedIn.stdout.trim()];
  let token = "";
  const call = async (method: "GET" | "POST" | "DELETE", path: string) => {
    const json = method === "POST" ? { "content-type": "application/json" } : {};
    const headers = { cookie: cookies.join("; "), ...json, ...(token ? { "x-csrf-token": token } : {}) };
    const {
      statusCode,
      headers: answered,
      body,
    } = await request(`${url}${path}`, {
      method,
      headers,
      dispatcher: agent,
      ...(method === "POST" ? { body: "{}" } : {}),
    });
    const text = await body.text();
    for (const cookie of [answered["set-cookie"] ?? []].flat()) cookies.push(cookie.split(";")[0] ?? "");
    assert.ok(statusCode < 300, `${method} ${path}: ${statusCode} ${text}`);
    return text;
  };
  try {
    token = JSON.parse(await call("GET", "/api/info")).csrf;
    const clusters = JSON.parse(await call("GET", "/api/clusters"));
    assert.match(JSON.stringify(clusters), new RegExp(name));
    await call("POST", `${provider.client.cluster(name)}/kubeconfig/new`);
    const { sessions } = JSON.parse(await call("GET", "/api/sessions"));
    assert.equal(sessions.length, 1);
    await call("DELETE", `/api/sessions/${sessions[0].id}`);
    await call("POST", "/api/sign-outs");
  } finally {
    await agent.close();
  }
}
