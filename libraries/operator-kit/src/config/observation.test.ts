import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { stringAt, valueAt } from "@keelson/base";
import { type KubeObject, resources } from "@keelson/kube";
import type { OperatorParts } from "../operator/operator-controller.ts";
import { operatorKey } from "../operator/operator-resource.ts";
import { resourceSync } from "../sync/controller.ts";
import { SyncRuleSet } from "../sync/sync-rules.ts";
import { type KitCluster, type KitOperator, kitServers, startKitOperator } from "../testing/index.ts";
import type { ConfigObserver } from "./config-observer.ts";
import { configObservation } from "./controller.ts";

const [source, copies] = ["input", "target"];
const resource = resources.operatorConsoles;
const secretRule = (from: string | undefined) => ({
  resource: resources.secrets,
  to: { namespace: copies, name: "copy" },
  ...(from === undefined ? {} : { from: { namespace: source, name: from } }),
});

/** Observer of the ConfigMap `settings`. It reads the field `url` and the Secret with the name in `secret`. */
const observer: ConfigObserver = {
  name: "settings",
  paths: [["storage", "url"]],
  inputs: [{ resource: resources.configMaps, selection: { namespace: source } }],
  observe({ objects, existing, report }) {
    const found = objects.find(resources.configMaps, { namespace: source, name: "settings" });
    if (!found) return { config: {}, syncRules: [secretRule(undefined)] };
    const url = stringAt(found, "data", "url");
    if (url === "malformed") throw new Error('"malformed" is no URL');
    if (url !== valueAt(existing, "storage", "url"))
      report({ type: "Normal", reason: "ObserveStorageUpdated", message: `Updated storage url to ${url}` });
    return { config: { storage: { url } }, syncRules: [secretRule(stringAt(found, "data", "secret"))] };
  },
};

for (const { name, start } of kitServers) {
  describe(`observed configuration on ${name}`, () => {
    let cluster: KitCluster;
    let operator: KitOperator;
    const configuration = () => cluster.api.get(resource, operatorKey, cluster.signal);
    const observed = async () => valueAt(await configuration(), "spec", "observedConfig");
    const settings = (data: Readonly<Record<string, string>>) =>
      cluster.put(resources.configMaps, { metadata: { namespace: source, name: "settings" }, data });
    const condition = async (type: string) => {
      const conditions = (valueAt(await configuration(), "status", "conditions") ?? []) as KubeObject[];
      const found = conditions.find((each) => stringAt(each, "type") === type);
      return { status: stringAt(found, "status"), message: stringAt(found, "message") };
    };
    const copied = async () => {
      const found = await cluster.api.find(
        resources.secrets,
        { namespace: copies, name: "copy" },
        cluster.signal,
      );
      return valueAt(found, "data");
    };
    const secret = (name: string, data: Readonly<Record<string, string>>) =>
      cluster.put(resources.secrets, { metadata: { namespace: source, name }, data });
    const run = async () => {
      const syncRules = new SyncRuleSet();
      operator = await startKitOperator(cluster, {
        resource,
        instance: "example",
        namespace: "example-operator",
        parts: (parts: OperatorParts) => parts,
        controllers: [
          configObservation({ resource, observers: [observer], syncRules }),
          resourceSync({ resource, rules: syncRules, namespaces: [source, copies] }),
        ],
      });
    };
    before(async () => {
      cluster = await start({ kinds: [resource] });
      for (const name of [copies, "example-operator"])
        await cluster.put(resources.namespaces, { metadata: { name } });
      await cluster.put(resource, { metadata: operatorKey, spec: { managementState: "Managed" } });
      await secret("one", { a: "MQ==" });
      await settings({ url: "https://a", secret: "one" });
      await run();
    });
    after(async () => {
      await operator[Symbol.asyncDispose]();
      await cluster[Symbol.asyncDispose]();
    });

    test("what observers find is written, and the copies that they want are made", async () => {
      await cluster.eventually(async () => {
        assert.deepEqual(await observed(), { storage: { url: "https://a" } });
        assert.deepEqual(await copied(), { a: "MQ==" });
        assert.deepEqual(await condition("ConfigObservationDegraded"), {
          status: "False",
          message: undefined,
        });
        assert.deepEqual(await condition("ResourceSyncControllerDegraded"), {
          status: "False",
          message: undefined,
        });
      });
    });

    test("a malformed input keeps configuration and copies, and is named", async () => {
      await settings({ url: "malformed" });
      await cluster.eventually(async () =>
        assert.deepEqual(await condition("ConfigObservationDegraded"), {
          status: "True",
          message: '"malformed" is no URL',
        }),
      );
      assert.deepEqual(await observed(), { storage: { url: "https://a" } });
      assert.deepEqual(await copied(), { a: "MQ==" });
    });

    test("a different source replaces the copy's data, and an unrequested key is removed", async () => {
      await secret("two", { b: "Mg==" });
      await settings({ url: "https://b", secret: "two" });
      await cluster.eventually(async () => {
        assert.deepEqual(await observed(), { storage: { url: "https://b" } });
        assert.deepEqual(await copied(), { b: "Mg==" });
      });
      await cluster.api.mergePatch(
        resources.secrets,
        { namespace: copies, name: "copy" },
        { data: { foreign: "Mg==" } },
        cluster.signal,
      );
      await cluster.eventually(async () => assert.deepEqual(await copied(), { b: "Mg==" }));
    });

    test("what changed is an Event of the operator", async () => {
      const reasons = await cluster.eventually(async () => {
        const { items } = await cluster.api.list(
          resources.events,
          { namespace: "example-operator" },
          cluster.signal,
        );
        const all = new Map(items.map((each) => [stringAt(each, "reason"), stringAt(each, "message")]));
        assert.ok(all.has("ObservedConfigChanged") && all.has("SecretUpdated"));
        return all;
      });
      assert.equal(reasons.get("SecretCreated"), "Created Secret/copy -n target because it was missing");
      assert.match(reasons.get("ObservedConfigChanged") ?? "", /^Writing updated observed config: /);
    });

    test("a quiet cluster sees no write, also after a restart; a source that is gone takes the copy along", async () => {
      await operator.quiet();
      await operator[Symbol.asyncDispose]();
      await run();
      await operator.quiet();
      assert.equal(await operator.writes(), 0);
      await cluster.api.delete(resources.secrets, { namespace: source, name: "two" }, cluster.signal);
      await cluster.eventually(async () => assert.equal(await copied(), undefined));
    });

    test("nothing is observed while the operator is unmanaged", async () => {
      const state = (managementState: string) =>
        cluster.put(resource, { metadata: operatorKey, spec: { managementState } });
      await state("Unmanaged");
      await operator.quiet();
      await settings({ url: "https://c" });
      await operator.quiet();
      assert.deepEqual(await observed(), { storage: { url: "https://b" } });
      await state("Managed");
      await cluster.eventually(async () =>
        assert.deepEqual(await observed(), { storage: { url: "https://c" } }),
      );
    });
  });
}

test("observers with overlapping paths are rejected", () => {
  const other = { ...observer, name: "other", paths: [["storage"]] };
  assert.throws(
    () => configObservation({ resource, observers: [observer, other], syncRules: new SyncRuleSet() }),
    /settings and other both write storage\.url/,
  );
});
