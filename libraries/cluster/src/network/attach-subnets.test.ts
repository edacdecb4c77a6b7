import assert from "node:assert/strict";
import { test } from "node:test";
import { newCluster } from "@keelson/model/testing";
import { memoryCluster } from "../testing/memory-cluster.ts";
import { ensurePreconfiguredNSG } from "./attach-subnets.ts";

const network = newCluster({ name: "demo" }).properties.networkProfile;

test("the operator leaves the security groups alone that a customer brought", async () => {
  const flagsOf = async (preconfiguredNSG: "Enabled" | "Disabled") => {
    const { context } = memoryCluster({ networkProfile: { ...network, preconfiguredNSG } });
    await ensurePreconfiguredNSG(context);
    return context.cluster.properties.operatorFlags;
  };
  assert.deepEqual(await flagsOf("Enabled"), { "aro.azuresubnets.nsg.managed": "false" });
  assert.equal(await flagsOf("Disabled"), undefined);
});
