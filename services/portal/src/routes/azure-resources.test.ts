/** Tests the portal's routes for Azure resources. The admin API in these tests verifies the person's token. */
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { azureResourcesSchema, containerLogSchema, effectiveRoutesSchema } from "@keelson/portal-api";
import type { TSchema } from "typebox";
import { Value } from "typebox/value";
import { storeCluster } from "../testing/store-cluster.ts";
import { type Person, startTestPortal, type TestPortal } from "../testing/test-portal.ts";

let at: TestPortal;
let reader: Person;
let id: string;
let data: string;

before(async () => {
  at = await startTestPortal({ withAdminApi: true });
  id = await storeCluster(at.database, {}, "demo");
  const [, , subscription, , group, , , , name] = id.split("/");
  data = `/api/${subscription}/${group}/${name}`;
  reader = await at.signedIn("reader");
});
beforeEach(() => {
  at.adminApi.calls.length = 0;
});
after(() => at?.[Symbol.asyncDispose]());

const json = { "content-type": "application/json" };
const answer = (status: number, value: unknown) =>
  at.adminApi.respondWith(() => ({ status, body: JSON.stringify(value), headers: json }));

async function get(path: string) {
  const { status, text, headers } = await reader.browser.send(at.portal.url, `${data}/${path}`);
  return {
    status,
    text,
    headers,
    value: headers["content-type"] === "application/json" ? JSON.parse(text) : undefined,
  };
}

const assertValid = (schema: TSchema, value: unknown) =>
  assert.deepEqual([...Value.Errors(schema, value)], []);

const group = "/subscriptions/s/resourceGroups/aro-demo/providers";
const machine = {
  id: `${group}/Microsoft.Compute/virtualMachines/demo-master-0`,
  name: "demo-master-0",
  type: "Microsoft.Compute/virtualMachines",
  location: "eastus",
  properties: {
    provisioningState: "Succeeded",
    instanceView: {
      statuses: [{ code: "ProvisioningState/succeeded" }, { code: "PowerState/deallocated" }],
    },
  },
};

test("Azure resources have the power state of their virtual machines", async () => {
  answer(200, [machine, { id: `${group}/Microsoft.Network/networkInterfaces/nic`, name: "n\u001bic" }]);
  const { status, value } = await get("azure-resources");
  assert.equal(status, 200);
  assertValid(azureResourcesSchema, value);
  assert.deepEqual(value, {
    total: 2,
    resources: [
      {
        name: "demo-master-0",
        type: "Microsoft.Compute/virtualMachines",
        resourceGroup: "aro-demo",
        location: "eastus",
        provisioningState: "Succeeded",
        powerState: "deallocated",
      },
      {
        name: "n\u241bic",
        type: "",
        resourceGroup: "aro-demo",
        location: "",
        provisioningState: "",
        powerState: "",
      },
    ],
  });
  const [call] = at.adminApi.calls;
  assert.deepEqual([call?.method, call?.rights], ["GET", "reader"]);
  assert.match(call?.url ?? "", /\/demo\/resources$/);
});

test("Azure resources are limited to 5,000, and other content returns 502", async () => {
  answer(
    200,
    Array.from({ length: 5_001 }, () => ({ name: "a" })),
  );
  const { value } = await get("azure-resources");
  assertValid(azureResourcesSchema, value);
  assert.deepEqual([value.total, value.resources.length], [5_001, 5_000]);
  for (const hostile of ["<script>", { value: 1 }, null]) {
    answer(200, hostile);
    const response = await get("azure-resources");
    assert.deepEqual([response.status, response.value.error.code], [502, "ClusterResponseInvalid"]);
  }
  at.adminApi.respondWith(() => ({ status: 200, body: `["${"x".repeat(6 * 2 ** 20)}"]`, headers: json }));
  const large = await get("azure-resources");
  assert.deepEqual([large.status, large.value.error.code], [502, "ClusterResponseTooLarge"]);
});

test("the serial console is returned as printable lines, and as a text file", async () => {
  const body = "booting\r\n\u001b[2J<script>alert(1)</script>\n";
  at.adminApi.respondWith(() => ({ status: 200, body, headers: { "content-type": "text/html" } }));
  const { value } = await get("serial-console?vmName=demo-master-0");
  assertValid(containerLogSchema, value);
  assert.deepEqual(value, { lines: ["booting", "\u241b[2J<script>alert(1)</script>"], truncated: false });
  const file = await get("serial-console-file?vmName=demo-master-0");
  assert.deepEqual(
    [file.headers["content-type"], file.headers["content-disposition"], file.text.split("\n").length],
    ["text/plain; charset=utf-8", 'attachment; filename="demo-master-0-console.log"', 3],
  );
  assert.match(at.adminApi.calls[0]?.url ?? "", /\/serialconsole\?vmName=demo-master-0$/);
  const line = at.lines.findLast(({ logKind }) => logKind === "audit");
  assert.deepEqual(
    [line?.action, line?.vmName, line?.role],
    ["GET serialconsole", "demo-master-0", "reader"],
  );
});

test("the serial console has at most the last 10,000 lines", async () => {
  at.adminApi.respondWith(() => ({
    status: 200,
    body: Array.from({ length: 12_000 }, (_, n) => n).join("\n"),
  }));
  const { value } = await get("serial-console?vmName=a");
  assert.deepEqual([value.lines.length, value.lines[0], value.truncated], [10_000, "2000", true]);
});

test("effective routes have their prefixes and next hops", async () => {
  const hop = { nextHopType: "VirtualAppliance", nextHopIpAddress: ["10.0.0.4", 5] };
  answer(200, { value: [{ source: "User", state: "Active", addressPrefix: ["0.0.0.0/0"], ...hop }] });
  const { value } = await get("effective-routes?nic=demo-master0-nic");
  assertValid(effectiveRoutesSchema, value);
  assert.deepEqual(value, {
    total: 1,
    routes: [
      {
        name: "",
        source: "User",
        state: "Active",
        addressPrefixes: ["0.0.0.0/0"],
        nextHopType: "VirtualAppliance",
        nextHops: ["10.0.0.4"],
      },
    ],
  });
});

test("invalid names are rejected before the admin API is called", async () => {
  for (const path of [
    "serial-console",
    "serial-console?vmName=../x",
    "effective-routes?nic=",
    "effective-routes?nic=..",
    "effective-routes?nic=a/b",
  ])
    assert.equal((await get(path)).status, 400, path);
  assert.deepEqual(at.adminApi.calls, []);
});

test("errors of the admin API keep their status and message", async () => {
  const error = { code: "NotFound", message: "The VirtualMachine 'a' was not found." };
  for (const [status, shown, code] of [
    [404, 404, "NotFound"],
    [403, 403, "Forbidden"],
    [429, 429, "TooManyRequests"],
    [500, 502, "AdminApiFailed"],
  ] as const) {
    answer(status, { error });
    const response = await get("serial-console?vmName=a");
    assert.deepEqual(
      [response.status, response.value.error.code, response.value.error.message],
      [shown, code, error.message],
    );
  }
});
