import assert from "node:assert/strict";
import { test } from "node:test";
import { QueryClient } from "@tanstack/react-query";
import { actionChanged, clusterKey } from "./queries.ts";

const cluster = { subscription: "s", resourceGroup: "g", name: "demo" };
const id = "/subscriptions/s/resourcegroups/g/providers/microsoft.redhatopenshift/openshiftclusters/demo";

test("a change by an action reads again only the data that actions change, of its cluster", async () => {
  const client = new QueryClient();
  const keys = [
    [...clusterKey(id), "action-requests"],
    [...clusterKey(id), "action-requests/7"],
    [...clusterKey(id), "maintenance"],
    [...clusterKey(id), "pods"],
    [...clusterKey(id), "prometheus", "api/v1/query"],
    [...clusterKey(id), "log", "/actions"],
    [...clusterKey(`${id}2`), "actions"],
    ["clusters"],
  ];
  for (const key of keys) client.setQueryData(key, "data");
  await actionChanged(client, cluster);
  assert.deepEqual(
    keys.filter((key) => client.getQueryState(key)?.isInvalidated),
    keys.slice(0, 3),
  );
  client.clear();
});
