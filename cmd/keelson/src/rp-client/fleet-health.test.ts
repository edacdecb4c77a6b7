import assert from "node:assert/strict";
import { test } from "node:test";
import { fleetHealth } from "./fleet-health.ts";

function fleet(healths: Readonly<Record<string, { state: string; health?: string }>>) {
  let requests = 0;
  return {
    requests: () => requests,
    client: {
      listClusters: async () =>
        Object.entries(healths).map(([name, { state }]) => ({
          id: name,
          name,
          resourceGroup: name,
          state,
          version: "4.19.24",
        })),
      availability: async ({ name }: { name: string }) => {
        requests++;
        const health = healths[name]?.health;
        return health === undefined ? undefined : { state: health, reason: "r", summary: "s", since: "" };
      },
    },
  };
}

const { signal } = new AbortController();

test("the health of a fleet lists clusters with a problem first, and a deleted cluster as Unknown", async () => {
  const { client } = fleet({
    well: { state: "Succeeded", health: "Available" },
    gone: { state: "Deleting" },
    bad: { state: "Succeeded", health: "Degraded" },
    worst: { state: "Succeeded", health: "Unavailable" },
  });
  const { clusters, omittedClusters } = await fleetHealth(client, 10, signal);
  assert.deepEqual(
    clusters.map(({ name, health }) => [name, health]),
    [
      ["worst", "Unavailable"],
      ["bad", "Degraded"],
      ["gone", "Unknown"],
      ["well", "Available"],
    ],
  );
  assert.equal(omittedClusters, 0);
});

test("the health of a large fleet is read for at most the limit of clusters, failed ones first", async () => {
  const many = Object.fromEntries(
    Array.from({ length: 50 }, (_, i) => [
      `c${i}`,
      { state: i === 49 ? "Failed" : "Succeeded", health: "Available" },
    ]),
  );
  const { client, requests } = fleet(many);
  const { clusters, omittedClusters } = await fleetHealth(client, 5, signal);
  assert.equal(requests(), 5);
  assert.equal(omittedClusters, 45);
  assert.ok(clusters.some(({ name }) => name === "c49"));
});
