/** Tests the step logs of a failed creation in the portal's API. The service runs as `keelson up` in the simulated world. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { Operations, StepLogs } from "@keelson/portal-api";
import { request } from "undici";
import { ArmClient } from "./support/arm-client.ts";
import { Program, StateDirectory } from "./support/program.ts";
import { WorldClient } from "./support/world-client.ts";

const flags = ["--no-cluster", "--subnets-for", "failing", "--without", "console", "monitor"];

test("the portal returns the log of a failed step, and the retry of an earlier step with its error", {
  timeout: 900_000,
}, async () => {
  using state = new StateDirectory();
  await using program = Program.start("up", "--state", state.path, "--ports", "auto", ...flags);
  await program.says(/endpoints/);
  await using world = new WorldClient(state.path);
  await using arm = new ArmClient(state.file("endpoints.json"));
  await world.change({
    faults: {
      retried: {
        kind: "operation-failed",
        verb: "write",
        type: "Microsoft.Network/networkSecurityGroups",
        message: "The network is busy.",
        count: 1,
      },
      failing: {
        kind: "refused",
        status: 403,
        code: "PolicyViolation",
        message: "The policy forbids virtual machines.",
        verb: "write",
        type: "Microsoft.Compute/virtualMachines",
      },
    },
  });
  await arm.registerSubscription();
  await arm.createCluster("failing");
  assert.equal(await arm.terminal("failing"), "Failed");

  const cookie = await readerCookie(state);
  const { portal, subscriptionId } = world.endpoints;
  const read = async <T>(path: string): Promise<T> => {
    const url = `${portal}/api/${subscriptionId}/failing/failing/operations${path}`;
    const response = await request(url, { dispatcher: world.agent, headers: { cookie } });
    const text = await response.body.text();
    assert.equal(response.statusCode, 200, text);
    return JSON.parse(text);
  };
  const { operations } = await read<Operations>("");
  assert.deepEqual(
    operations.map(({ kind, state }) => [kind, state]),
    [["Creating", "Failed"]],
  );
  const [creation] = operations;
  const { steps } = await read<StepLogs>(`/${creation?.id}/logs`);
  const journal = JSON.stringify({ creation, steps }, undefined, 1);

  const failed = creation?.steps.filter(({ outcome }) => outcome === "failed") ?? [];
  assert.equal(failed.length, 1, journal);
  assert.equal(failed[0]?.error, "The policy forbids virtual machines.", journal);
  const failedLog = steps.find(({ name }) => name === failed[0]?.name);
  assert.ok(
    failedLog?.entries.some(
      ({ level, details }) => level === "error" && /The policy forbids/.test(details ?? ""),
    ),
    journal,
  );

  const retries = steps.flatMap(({ name, entries }) =>
    entries.filter(({ attempt }) => attempt !== undefined).map((entry) => ({ name, ...entry })),
  );
  const retry = retries.find(({ error = "" }) => error.includes("The network is busy."));
  assert.equal(retry?.attempt, 1, journal);
  const retried = creation?.steps.find(({ name }) => name === retry?.name);
  assert.equal(retried?.outcome, "succeeded", journal);
});

/** Returns a portal cookie for a person with the role reader. */
async function readerCookie(state: StateDirectory): Promise<string> {
  const file = state.file("service.json");
  const { portal } = JSON.parse(readFileSync(file, "utf8"));
  const [group] = portal.signIn.groups.access;
  const person = ["--username", "reader@keelson.local", "--groups", group];
  const { code, stdout, stderr } = await Program.run("portalauth", "--config", file, ...person);
  assert.equal(code, 0, stderr);
  return stdout.trim();
}
