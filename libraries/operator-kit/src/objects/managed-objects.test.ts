import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { silentLogger, systemClock, valueAt } from "@keelson/base";
import { Cache, withWriteHooks } from "@keelson/controller";
import { type KubeResource, resources } from "@keelson/kube";
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
      // The cache does not contain the object yet.
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

const selector = { matchLabels: { app: "a" } };
const container = { name: "c", image: "i", ports: [{ containerPort: 80 }] };
const rules = [{ apiGroups: [""], resources: ["configmaps"], verbs: ["get"] }];
/**
 * Changes that a second writer makes inside fields that a controller wants. Each row contains a change and the fields that the
 * controller must revert.
 */
const withinWanted: readonly {
  readonly what: string;
  readonly resource: KubeResource;
  readonly wanted: object;
  readonly edit: object;
  readonly undone: string | undefined;
}[] = [
  {
    what: "a rule of a role that is narrowed",
    resource: resources.roles,
    wanted: { rules },
    edit: { rules: [{ ...rules[0], resourceNames: ["one"] }] },
    undone: "rules",
  },
  {
    what: "a selector of all pods that is narrowed",
    resource: resources.networkPolicies,
    wanted: { spec: { podSelector: {}, policyTypes: ["Ingress"] } },
    edit: { spec: { podSelector: selector } },
    undone: "spec.podSelector.matchLabels",
  },
  {
    what: "a request of a container, one of a list by name,",
    resource: resources.deployments,
    wanted: {
      spec: {
        selector,
        template: { metadata: { labels: selector.matchLabels }, spec: { containers: [container] } },
      },
    },
    edit: {
      spec: { template: { spec: { containers: [{ ...container, resources: { requests: { cpu: "1" } } }] } } },
    },
    undone: undefined,
  },
];

for (const { name, start } of kitServers) {
  describe(`foreign changes within wanted fields, on ${name}`, () => {
    let cluster: KitCluster;
    before(async () => {
      cluster = await start({ kinds: [] });
      await cluster.put(resources.namespaces, { metadata: { name: namespace } });
    });
    after(() => cluster[Symbol.asyncDispose]());

    for (const [index, { what, resource, wanted, edit, undone }] of withinWanted.entries())
      test(`${what} is ${undone ? "undone" : "left alone"}; the server is asked once`, async () => {
        const { api, signal } = cluster;
        const applied: string[] = [];
        const repaired: (readonly string[])[] = [];
        const cache = new Cache({ api, clock: systemClock, logger: silentLogger });
        const metadata = { namespace, name: `within-${index}` };
        // Each call uses a new `ManagedObjects`, like each reconcile of a controller.
        const ensure = () =>
          new ManagedObjects({
            api: {
              ...withWriteHooks(api, []),
              apply(kind, object, until, options) {
                applied.push("applied");
                return api.apply(kind, object, until, options);
              },
              dryRunApply(kind, object, until, options) {
                applied.push("tried");
                return api.dryRunApply(kind, object, until, options);
              },
            },
            cache,
            repairs: { succeeded: ({ fields }) => void repaired.push(fields), failed: () => undefined },
            controller: "Example",
            fieldManager: "example-Example",
            signal,
            logger: silentLogger,
          }).ensure(resource, { metadata, ...wanted });
        assert.equal(await ensure(), "created");
        assert.equal(await ensure(), "unchanged");
        assert.deepEqual(applied.splice(0), ["applied"], "what it wrote itself is known");

        await api.mergePatch(resource, metadata, { ...edit }, signal);
        assert.equal(await ensure(), undone ? "updated" : "unchanged");
        assert.deepEqual(applied.splice(0), undone ? ["tried", "applied"] : ["tried"]);
        await api.mergePatch(resource, metadata, { metadata: { labels: { foreign: "kept" } } }, signal);
        assert.equal(await ensure(), "unchanged");
        assert.deepEqual(applied, [], "nothing that matters changed");
        assert.deepEqual(repaired, undone ? [[], [undone]] : [[]]);
      });
  });
}
