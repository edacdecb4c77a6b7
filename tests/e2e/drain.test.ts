/** SIGTERM in the middle of an installation, and Ctrl-C in front of a person who waits for one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { ArmClient } from "./support/arm-client.ts";
import { exampleRequest } from "./support/cluster-request.ts";
import { Program, StateDirectory } from "./support/program.ts";

test("SIGTERM lets running steps end, gives the cluster back, and another start goes on", {
  timeout: 120_000,
}, async () => {
  using state = new StateDirectory();
  const flags = ["--state", state.path, "--ports", "auto", "--no-cluster", "--subnets-for", "drained"];
  await using first = Program.start("up", ...flags);
  await first.says(/endpoints/);
  await using client = new ArmClient(state.file("endpoints.json"));
  await client.call("PUT", `/subscriptions/${client.subscriptionId}?api-version=2.0`, {
    state: "Registered",
  });
  const request = exampleRequest("20250725", await client.clusterVariables("drained"));
  const created = await client.call("PUT", `${client.cluster("drained")}?api-version=2025-07-25`, request);
  assert.equal(created.status, 201, JSON.stringify(created.body));
  const url = String(created.headers["azure-asyncoperation"]);
  let completed = 0;
  while (completed < 10) {
    completed = (await client.call("GET", url)).body.properties?.completedSteps ?? 0;
    await delay(20);
  }
  assert.equal(await first.signal("SIGTERM"), 0, first.stderr);
  await using second = Program.start("up", ...flags);
  await second.says(/endpoints/);
  const resumed = (await client.call("GET", url)).body;
  assert.ok(
    resumed.status === "Succeeded" || resumed.properties.completedSteps >= completed,
    JSON.stringify(resumed),
  );
  assert.equal((await client.settle(url)).status, "Succeeded");
});

test("Ctrl-C while the first cluster is being made drains, and the next start finishes it", {
  timeout: 120_000,
}, async () => {
  using state = new StateDirectory();
  const flags = ["--state", state.path, "--ports", "auto"];
  await using first = Program.start("up", ...flags);
  while (!/demo Creating +\d\d%/.test(first.stderr)) {
    assert.ok(first.running, first.stderr);
    await delay(20);
  }
  assert.equal(await first.signal("SIGINT"), 130);
  assert.match(first.stderr, /stopping: .*Ctrl-C again/);
  await using second = Program.start("up", ...flags);
  assert.match(await second.says(/endpoints/), /demo\.kubeconfig/);
  assert.match(second.stderr, /cluster demo Succeeded/);
});
