import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { silentLogger, systemClock } from "@keelson/base";
import { Cache } from "@keelson/controller";
import { resources, valueAt } from "@keelson/kube";
import { OperatorEvents } from "../operator/operator-events.ts";
import { type KitCluster, kitServers } from "../testing/index.ts";
import { ManagedObjects } from "./managed-objects.ts";

const namespace = "managed";

for (const { name, start } of kitServers) {
  describe(`objects that are created once, on ${name}`, () => {
    let cluster: KitCluster;
    before(async () => {
      cluster = await start({ kinds: [] });
      await cluster.put(resources.namespaces, { metadata: { name: namespace } });
    });
    after(() => cluster[Symbol.asyncDispose]());

    function managed(events: string[], isStale: boolean): ManagedObjects {
      const { api, signal } = cluster;
      const record = (_: unknown, { reason }: { reason: string }) => void events.push(reason);
      const cache = new Cache({ api, clock: systemClock, logger: silentLogger });
      // The watch has not brought the object yet.
      if (isStale) cache.known = () => ({ object: undefined });
      return new ManagedObjects({
        api,
        cache,
        repairs: new OperatorEvents({ record }, { namespace, name: "operator" }),
        controller: "Example",
        fieldManager: "example-Example",
        signal,
        logger: silentLogger,
      });
    }

    for (const isStale of [false, true])
      test(`one that is there stays as it is${isStale ? ", although the cache does not show it yet" : ""}`, async () => {
        const events: string[] = [];
        const objects = managed(events, isStale);
        const metadata = { namespace, name: `once-${isStale}` };
        const create = (data: object) =>
          objects.create(resources.configMaps, { metadata, immutable: true, data });
        assert.equal(await create({ a: "1" }), "created");
        assert.equal(await create({ a: "2" }), "unchanged");
        const live = await cluster.api.get(resources.configMaps, metadata, cluster.signal);
        assert.deepEqual(valueAt(live, "data"), { a: "1" });
        assert.deepEqual(events, ["ConfigMapCreated"]);
      });
  });
}
