import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import process from "node:process";
import { after, before, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { httpConnectTimeoutMs } from "@keelson/base";
import { Agent } from "undici";
import { ArmClient, type Response } from "./support/arm-client.ts";
import { exampleRequest } from "./support/cluster-request.ts";
import { armToken, readEndpoints } from "./support/endpoints.ts";
import { Program, StateDirectory } from "./support/program.ts";

const factor = 0.004;
/**
 * Converts recorded minutes to milliseconds at the pace of this test. Limits are the shortest recorded durations, because a slow
 * machine only adds time.
 */
const minutes = (recorded: number) => recorded * 60_000 * factor;
const leastMs = { validation: 25_000 * factor, create: minutes(45), delete: minutes(7) };
const name = "paced";

/** Waits without a time limit because a restart can be slow on a busy machine. */
async function untilServed(call: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const response = await call().catch(() => undefined);
    if (response && response.status < 500) return response;
    await delay(100);
  }
}

describe("`keelson up --pace recorded`", { timeout: 900_000 }, () => {
  const state = new StateDirectory();
  let program: Program;
  let arm: ArmClient;
  let headers: Readonly<Record<string, string>>;

  before(async () => {
    const pace = ["--pace", `recorded:${factor}`, "--no-cluster", "--subnets-for", name];
    const without = ["--without", "portal", "monitor", "console"];
    program = Program.start("up", "--state", state.path, "--ports", "auto", ...pace, ...without);
    await program.says(/endpoints/);
    const endpoints = readEndpoints(state.file("endpoints.json"));
    const agent = new Agent({
      connect: { timeout: httpConnectTimeoutMs, ca: readFileSync(endpoints.caFile, "utf8") },
    });
    headers = { authorization: `Bearer ${await armToken(endpoints, agent).finally(() => agent.destroy())}` };
    arm = new ArmClient(state.file("endpoints.json"), endpoints.arm);
  });
  after(async () => {
    await program[Symbol.asyncDispose]();
    await arm[Symbol.asyncDispose]();
    state[Symbol.dispose]();
  });

  const send = (method: "GET" | "PUT" | "PATCH" | "DELETE", body?: object) =>
    arm.call(method, `${arm.cluster(name)}?api-version=2025-07-25`, body, headers);
  const poll = ({ headers: { "azure-asyncoperation": operation } }: Response) => {
    const url = new URL(String(operation));
    return arm.call("GET", `${url.pathname}${url.search}`, undefined, headers);
  };
  /** Polls an operation until it has completed. Returns its statuses in order and the milliseconds since `begunMs`. */
  const settle = async (response: Response, begunMs: number) => {
    assert.equal(response.headers["retry-after"], undefined);
    const statuses = new Set<string>();
    for (;;) {
      const polled = await poll(response);
      assert.deepEqual([polled.status, polled.headers["retry-after"]], [200, undefined]);
      statuses.add(polled.body.status);
      if (/^(Succeeded|Failed)$/.test(polled.body.status))
        return { statuses: [...statuses], tookMs: performance.now() - begunMs };
      await delay(200);
    }
  };

  test("a cluster is validated and created in the scaled time, and polls show Creating", async () => {
    const body = exampleRequest("20250725", await arm.clusterVariables(name));
    const begunMs = performance.now();
    const created = await send("PUT", body);
    const answeredMs = performance.now();
    assert.equal(created.status, 201);
    assert.ok(answeredMs - begunMs >= leastMs.validation);
    assert.equal((await send("GET")).body.properties.provisioningState, "Creating");
    const { statuses, tookMs } = await settle(created, answeredMs);
    assert.deepEqual(statuses, ["Creating", "Succeeded"]);
    assert.ok(tookMs >= leastMs.create, `${tookMs} ms`);
  });

  test("a restarted component keeps the pace, and a cluster is deleted in the scaled time", async () => {
    const status = await Program.run("status", "--state", state.path, "-o", "json");
    const components: readonly { component: string; process: number }[] = JSON.parse(
      status.stdout,
    ).components;
    const azure = components.find(({ component }) => component === "azure");
    process.kill(azure?.process ?? 0, "SIGKILL");
    const begunMs = performance.now();
    const deleted = await untilServed(() => send("DELETE"));
    assert.equal(deleted.status, 202);
    const { statuses, tookMs } = await settle(deleted, begunMs);
    assert.deepEqual(statuses, ["Deleting", "Succeeded"]);
    assert.ok(tookMs >= leastMs.delete, `${tookMs} ms`);
    assert.equal((await send("GET")).status, 404);
  });
});
