import assert from "node:assert/strict";
import { test } from "node:test";
import { type FlowLogSettings, flowLog, flowLogId, planFlowLog } from "./flow-log.ts";

const watcher = "/subscriptions/s/resourceGroups/w/providers/Microsoft.Network/networkWatchers/east";
const group = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/networkSecurityGroups/demo-nsg";
const settings: FlowLogSettings = {
  enabled: true,
  networkWatcherID: watcher,
  storageAccountResourceId: "/storage",
  trafficAnalyticsLogAnalyticsWorkspaceId: "workspace",
};

test("a flow log has the name of its security group", () => {
  assert.equal(flowLogId(settings, group), `${watcher}/flowLogs/demo-nsg`);
});

for (const networkWatcherID of ["", "watcher", group, `${watcher}/flowLogs/x`]) {
  test(`'${networkWatcherID}' is not a network watcher`, () =>
    assert.throws(() => flowLogId({ ...settings, networkWatcherID }, group), {
      message: `parsing failed for ${networkWatcherID}. Invalid resource Id format`,
    }));
}

test("a flow log has the defaults of the settings", () => {
  assert.deepEqual(flowLog(settings, group, "eastus"), {
    location: "eastus",
    properties: {
      targetResourceId: group,
      storageId: "/storage",
      enabled: true,
      format: { type: "JSON", version: 2 },
      retentionPolicy: { days: 90, enabled: true },
      flowAnalyticsConfiguration: {
        networkWatcherFlowAnalyticsConfiguration: {
          enabled: true,
          workspaceId: "workspace",
          trafficAnalyticsInterval: 60,
        },
      },
    },
  });
});

for (const [interval, minutes] of [
  ["60m", 60],
  ["10m", 10],
  ["1h0m0s", 60],
  ["10m0s", 10],
  ["", undefined],
  ["soon", undefined],
] as const) {
  test(`the interval '${interval}' is ${minutes ?? "an error"}`, () => {
    const make = () =>
      JSON.stringify(flowLog({ ...settings, trafficAnalyticsInterval: interval }, group, "eastus"));
    if (minutes === undefined) assert.throws(make, /trafficAnalyticsInterval is '/);
    else assert.match(make(), new RegExp(`"trafficAnalyticsInterval":${minutes}[,}]`));
  });
}

test("an enabled flow log needs a storage account", () => {
  const { storageAccountResourceId: _, ...rest } = settings;
  assert.throws(() => flowLog(rest, group, "eastus"), /storageAccountResourceId is empty/);
});

test("a flow log with the desired settings is not written, regardless of other properties and ID case", () => {
  const wanted = flowLog(settings, group, "eastus");
  const shown = JSON.parse(JSON.stringify(wanted).replace(group, group.toUpperCase()));
  assert.equal(planFlowLog({ ...shown, tags: { a: "b" } }, wanted), undefined);
});

test("a different flow log is written with its other properties preserved", () => {
  const live = flowLog({ ...settings, retentionDays: 7 }, group, "eastus");
  const plan = planFlowLog({ ...live, tags: { a: "b" } }, flowLog(settings, group, "eastus"));
  assert.deepEqual(plan, { ...flowLog(settings, group, "eastus"), tags: { a: "b" } });
});

test("analytics without a workspace are disabled once", () => {
  const { trafficAnalyticsLogAnalyticsWorkspaceId: _, ...rest } = settings;
  const wanted = flowLog(rest, group, "eastus");
  const plan = planFlowLog(flowLog(settings, group, "eastus"), wanted);
  assert.match(JSON.stringify(plan), /"networkWatcherFlowAnalyticsConfiguration":\{"enabled":false,/);
  assert.equal(planFlowLog(plan ?? {}, wanted), undefined);
  assert.equal(planFlowLog(wanted, wanted), undefined, "nor where there are none");
});
