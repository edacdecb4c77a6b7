import assert from "node:assert/strict";
import { test } from "node:test";
import { CloudError } from "@keelson/arm";
import { checkPorts } from "./load-balancer.ts";

const cases = [
  { addresses: 1, machines: 62 },
  { addresses: 1, machines: 63, required: 64_512 },
  { addresses: 2, machines: 124 },
  { addresses: 0, machines: 1, required: 1_024 },
  { addresses: 0, machines: 0 },
];
for (const { addresses, machines, required } of cases) {
  test(`${addresses} addresses ${required ? "are too few" : "do"} for ${machines} machines`, () => {
    const check = () => checkPorts(addresses, machines);
    if (required === undefined) {
      check();
      return;
    }
    assert.throws(check, (error) => {
      assert.ok(error instanceof CloudError);
      assert.deepEqual(error.body, {
        code: "InvalidParameter",
        target: "properties.networkProfile.loadBalancerProfile",
        message: `Insufficient frontend ports to support the backend instance count.  Total frontend ports: ${addresses * 63_992}, Required frontend ports: ${required}, Total backend instances: ${machines}`,
      });
      return true;
    });
  });
}
