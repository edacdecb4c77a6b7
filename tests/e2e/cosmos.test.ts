/** Tests the resource provider with a Cosmos DB account of the simulated Azure. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ArmClient } from "./support/arm-client.ts";
import { Program, StateDirectory } from "./support/program.ts";

test("the next resource provider reads the data that one wrote to Cosmos DB", async () => {
  using state = new StateDirectory();
  await using sim = Program.start(
    "sim",
    "azure",
    "--state",
    state.path,
    "--ports",
    "auto",
    "--cosmos-port",
    "0",
  );
  await sim.says(/arm/);
  const config = JSON.parse(readFileSync(state.file("service.json"), "utf8"));
  assert.equal(config.database.kind, "cosmos");
  const subscription = (arm: ArmClient) => `/subscriptions/${arm.subscriptionId}?api-version=2.0`;
  const clusters = (arm: ArmClient) =>
    `/subscriptions/${arm.subscriptionId}/providers/Microsoft.RedHatOpenShift/openShiftClusters?api-version=2023-11-22`;
  {
    await using rp = Program.start("rp", "--state", state.path);
    await rp.says(/"rp"/);
    await using arm = new ArmClient(state.file("endpoints.json"));
    const properties = { tenantId: arm.tenantId };
    const registered = await arm.call("PUT", subscription(arm), { state: "Registered", properties });
    assert.equal(registered.status, 201);
    assert.deepEqual((await arm.call("GET", clusters(arm))).body.value, []);
  }
  await using rp = Program.start("rp", "--state", state.path);
  await rp.says(/"rp"/);
  await using arm = new ArmClient(state.file("endpoints.json"));
  const properties = { tenantId: arm.tenantId };
  const again = await arm.call("PUT", subscription(arm), { state: "Warned", properties });
  assert.equal(again.status, 200, "it is there already");
});
