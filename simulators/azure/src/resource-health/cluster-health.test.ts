import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { nonEmptyStringAt, objectsAt } from "../base/json.ts";
import { location, startTestAzure, subscriptionId, type TestAzure } from "../testing/test-azure.ts";
import { type Received, startTestProvider } from "../testing/testing-provider.ts";

const group = `/subscriptions/${subscriptionId}/resourceGroups/health`;
const cluster = `${group}/providers/Microsoft.RedHatOpenShift/openShiftClusters/one`;
const health = `${cluster}/providers/Microsoft.ResourceHealth/availabilityStatuses`;
const v = "?api-version=2024-02-01";
const activityLog = `/subscriptions/${subscriptionId}/providers/Microsoft.Insights/eventtypes/management/values?api-version=2015-04-01`;

const status = { name: "current", properties: { availabilityState: "Available" } };
const events = [
  {
    id: "3",
    eventType: "PlannedMaintenance",
    title: "update operator",
    status: "Scheduled",
    startTime: "2090-01-01T00:00:00Z",
    latestStartTime: "2090-01-08T00:00:00Z",
  },
  {
    id: "2",
    eventType: "AdministratorAction",
    title: "cordon or uncordon a node",
    status: "Failed",
    startTime: "2026-01-02T00:00:00Z",
    endTime: "2026-01-02T00:01:00Z",
  },
];

const stack = new AsyncDisposableStack();
const asked: Received[] = [];
let azure: TestAzure;
before(async () => {
  const provider = stack.use(
    await startTestProvider((request) => {
      asked.push(request);
      const { pathname } = new URL(request.url, "https://provider");
      if (pathname.endsWith("/openShiftClusters")) return { status: 200, body: { value: [{ id: cluster }] } };
      if (pathname === `${cluster}/serviceEvents`) return { status: 200, body: { value: events } };
      if (pathname === `${cluster}/availabilityStatuses`) return { status: 200, body: { value: [status] } };
      if (pathname === `${cluster}/availabilityStatuses/current`) return { status: 200, body: status };
      return { status: 404, body: { error: { code: "ResourceNotFound", message: "No." } } };
    }),
  );
  azure = stack.use(await startTestAzure({ resourceProvider: provider.options }));
  await azure.arm("PUT", `${group}${v}`, { location });
});
after(() => stack.disposeAsync());

test("Resource Health of a cluster is the response of the resource provider", async () => {
  const list = await azure.arm("GET", `${health}${v}`);
  assert.deepEqual([list.status, list.json], [200, { value: [status] }]);
  const current = await azure.arm("GET", `${health}/current${v}`);
  assert.deepEqual([current.status, current.json], [200, status]);
  assert.equal(asked.at(-1)?.url, `${cluster}/availabilityStatuses/current?api-version=2025-07-25`);
  const missing = await azure.arm("GET", `${health.replace("/one/", "/two/")}${v}`);
  assert.deepEqual(
    [missing.status, nonEmptyStringAt(missing.json, "error", "code")],
    [404, "ResourceNotFound"],
  );
});

test("Resource Health of other resources and other methods are not served", async () => {
  const other = health.replace(
    "Microsoft.RedHatOpenShift/openShiftClusters",
    "Microsoft.Network/routeTables",
  );
  assert.equal((await azure.arm("GET", `${other}${v}`)).status, 404);
  assert.equal((await azure.arm("PUT", `${health}/current${v}`, {})).status >= 400, true);
});

const log = async (filter: string) => {
  const response = await azure.arm("GET", `${activityLog}&$filter=${encodeURIComponent(filter)}`);
  assert.equal(response.status, 200, response.text);
  return objectsAt(response.json, "value");
};

for (const filter of [
  `resourceUri eq '${cluster}'`,
  `resourceId eq '${cluster}'`,
  "resourceProvider eq 'Microsoft.RedHatOpenShift'",
  "resourceGroupName eq 'HEALTH' and resourceProvider eq 'Microsoft.RedHatOpenShift'",
])
  test(`the activity log with ${filter} has the events of the service, newest first`, async () => {
    const seen = await log(filter);
    assert.deepEqual(
      seen.map((each) => [
        nonEmptyStringAt(each, "operationName", "value"),
        nonEmptyStringAt(each, "status", "value"),
        nonEmptyStringAt(each, "caller"),
        nonEmptyStringAt(each, "properties", "title"),
      ]),
      [
        [
          "Microsoft.RedHatOpenShift/openShiftClusters/plannedMaintenance/action",
          "Accepted",
          "Azure Red Hat OpenShift",
          "update operator",
        ],
        [
          "Microsoft.RedHatOpenShift/openShiftClusters/administratorAction/action",
          "Failed",
          "Azure Red Hat OpenShift",
          "cordon or uncordon a node",
        ],
      ],
    );
    assert.equal(seen[1]?.eventTimestamp, "2026-01-02T00:01:00Z");
  });

test("the activity log without events of the service does not depend on the resource provider", async () => {
  asked.length = 0;
  await log(`resourceUri eq '${group}'`);
  assert.deepEqual(asked, []);
});
