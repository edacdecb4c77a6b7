import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { nonEmptyStringAt } from "../base/json.ts";
import type { SettingsPatch } from "../settings/settings.ts";
import { location, startTestAzure, subscriptionId, type TestAzure } from "../testing/test-azure.ts";

const group = `/subscriptions/${subscriptionId}/resourceGroups/g`;
const network = `${group}/providers/Microsoft.Network`;
const machine = `${group}/providers/Microsoft.Compute/virtualMachines`;
const v = "?api-version=2024-03-01";

describe("limits of machines and addresses", () => {
  let azure: TestAzure;
  const put = (path: string, body: object) =>
    azure.arm("PUT", `${path}${v}`, JSON.parse(JSON.stringify(body)));
  const putMachine = (name: string, vmSize: string) => {
    const networkInterfaces = [{ id: `${network}/networkInterfaces/${name}` }];
    return put(`${machine}/${name}`, {
      location,
      properties: { hardwareProfile: { vmSize }, networkProfile: { networkInterfaces } },
    });
  };
  before(async () => {
    azure = await startTestAzure();
    await put(group, { location });
    const subnets = [{ name: "s", properties: { addressPrefix: "10.0.0.0/24" } }];
    const addressSpace = { addressPrefixes: ["10.0.0.0/16"] };
    await put(`${network}/virtualNetworks/v`, { location, properties: { addressSpace, subnets } });
    for (const name of ["one", "two"]) {
      const ipConfigurations = [
        { name: "ip", properties: { subnet: { id: `${network}/virtualNetworks/v/subnets/s` } } },
      ];
      await put(`${network}/networkInterfaces/${name}`, { location, properties: { ipConfigurations } });
    }
    assert.equal((await putMachine("one", "Standard_D8s_v5")).status, 201);
  });
  after(() => azure[Symbol.asyncDispose]());
  afterEach(async () => {
    azure.change({ quotas: null, skus: null });
    await azure.arm("DELETE", `${machine}/two${v}`);
  });

  const rows: readonly (readonly [settings: SettingsPatch, size: string, refusal: RegExp | undefined])[] = [
    [{}, "Standard_D8s_v5", undefined],
    [{ quotas: { [location]: { cores: 16 } } }, "Standard_D8s_v5", undefined],
    [
      { quotas: { [location]: { cores: 15 } } },
      "Standard_D8s_v5",
      /OperationNotAllowed.*Total Regional Cores.*Limit: 15, Current Usage: 8, Additional Required: 8, \(Minimum\) New Limit Required: 16/,
    ],
    [
      { quotas: { [location]: { standardDSv5Family: 15 } } },
      "Standard_D8s_v5",
      /OperationNotAllowed.*standardDSv5Family/,
    ],
    [{ quotas: { [location]: { standardDSv5Family: 8 } } }, "Standard_D8s_v3", undefined],
    [
      { quotas: { [location]: { virtualMachines: 1 } } },
      "Standard_D8s_v5",
      /OperationNotAllowed.*virtualMachines/,
    ],
    [{ quotas: { westeurope: { cores: 0 } } }, "Standard_D8s_v5", undefined],
    [{ skus: { [location]: { Standard_D8s_v5: "restricted" } } }, "Standard_D8s_v5", /SkuNotAvailable/],
    [{ skus: { [location]: { Standard_D8s_v5: "absent" } } }, "Standard_D8s_v3", undefined],
  ];
  for (const [settings, size, refusal] of rows)
    test(`${JSON.stringify(settings)} ${refusal ? "refuses" : "allows"} a ${size}`, async () => {
      azure.change(settings);
      const response = await putMachine("two", size);
      if (!refusal) assert.equal(response.status, 201, response.text);
      else {
        assert.equal(response.status, 409);
        assert.match(response.text, refusal);
        assert.equal((await azure.arm("GET", `${machine}/two${v}`)).status, 404);
      }
    });

  test("an existing machine can be written and shrunk despite later limits, but cannot grow", async () => {
    azure.change({
      quotas: { [location]: { cores: 8 } },
      skus: { [location]: { Standard_D8s_v5: "restricted" } },
    });
    assert.equal((await putMachine("one", "Standard_D8s_v5")).status, 200);
    assert.equal((await putMachine("one", "Standard_D4s_v5")).status, 200);
    assert.match(
      (await putMachine("one", "Standard_D16s_v5")).text,
      /Current Usage: 4, Additional Required: 12/,
    );
  });

  test("addresses beyond the limit are rejected", async () => {
    azure.change({ quotas: { [location]: { PublicIPAddresses: 1 } } });
    const address = (name: string) =>
      put(`${network}/publicIPAddresses/${name}`, { location, sku: { name: "Standard" } });
    assert.equal((await address("a")).status, 201);
    assert.equal((await address("a")).status, 200);
    const refused = await address("b");
    assert.deepEqual(
      [refused.status, nonEmptyStringAt(refused.json, "error", "code")],
      [400, "PublicIPCountLimitReached"],
    );
  });
});
