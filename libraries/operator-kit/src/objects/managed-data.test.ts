import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { silentLogger, stringAt, systemClock, valueAt } from "@keelson/base";
import { Cache } from "@keelson/controller";
import { type KubeResource, resources } from "@keelson/kube";
import { OperatorEvents } from "../operator/operator-events.ts";
import { type KitCluster, kitServers } from "../testing/index.ts";
import { ensureData } from "./managed-data.ts";
import { ManagedObjects } from "./managed-objects.ts";

const namespace = "data";

for (const { name, start } of kitServers) {
  describe(`data of ConfigMaps and Secrets on ${name}`, () => {
    let cluster: KitCluster;
    let objects: ManagedObjects;
    const events: string[] = [];
    const live = async (resource: KubeResource, name: string) =>
      cluster.api.get(resource, { namespace, name }, cluster.signal);
    const dataOf = async (resource: KubeResource, name: string) =>
      valueAt(await live(resource, name), "data");
    before(async () => {
      cluster = await start({ kinds: [] });
      await cluster.put(resources.namespaces, { metadata: { name: namespace } });
      const { api, signal } = cluster;
      const record = (_: unknown, { reason, message }: { reason: string; message: string }) =>
        void events.push(`${reason}: ${message}`);
      objects = new ManagedObjects({
        api,
        cache: new Cache({ api, clock: systemClock, logger: silentLogger }),
        repairs: new OperatorEvents({ record }, { namespace, name: "operator" }),
        controller: "Example",
        fieldManager: "example-Example",
        signal,
        logger: silentLogger,
      });
    });
    after(() => cluster[Symbol.asyncDispose]());

    test("data is exactly what is wanted, and written once", async () => {
      const metadata = { namespace, name: "config" };
      await cluster.put(resources.configMaps, { metadata, data: { foreign: "1", kept: "old" } });
      const wanted = { metadata, data: { kept: "new", "b.yaml": "2" } };
      assert.equal(await ensureData(objects, resources.configMaps, wanted), "updated");
      assert.deepEqual(await dataOf(resources.configMaps, "config"), wanted.data);
      assert.equal(await ensureData(objects, resources.configMaps, wanted), "unchanged");
      assert.equal(await ensureData(objects, resources.configMaps, { metadata, data: {} }), "updated");
      assert.deepEqual((await dataOf(resources.configMaps, "config")) ?? {}, {});
      assert.ok(
        events.includes(
          "ConfigMapUpdated: Updated ConfigMap/config -n data:\ncause by changes in data.kept,data.b.yaml,data.foreign",
        ),
        events.join("\n"),
      );
    });

    test("what is injected stays, where the object asks for it", async () => {
      const labels = { "config.openshift.io/inject-trusted-cabundle": "true" };
      const metadata = { namespace, name: "trusted", labels };
      await cluster.put(resources.configMaps, { metadata, data: { "ca-bundle.crt": "x", other: "y" } });
      await ensureData(objects, resources.configMaps, { metadata });
      assert.deepEqual(await dataOf(resources.configMaps, "trusted"), { "ca-bundle.crt": "x" });
      assert.equal(await ensureData(objects, resources.configMaps, { metadata }), "unchanged");
    });

    test("a Secret of a different type and an immutable one are recreated", async () => {
      const metadata = { namespace, name: "pair" };
      await cluster.put(resources.secrets, { metadata, data: { a: "MQ==" } });
      const { uid } = (await live(resources.secrets, "pair")).metadata;
      const data = { "tls.crt": "MQ==", "tls.key": "Mg==" };
      await ensureData(objects, resources.secrets, { metadata, type: "kubernetes.io/tls", data });
      const replaced = await live(resources.secrets, "pair");
      assert.equal(stringAt(replaced, "type"), "kubernetes.io/tls");
      assert.deepEqual(valueAt(replaced, "data"), data);
      assert.notEqual(replaced.metadata.uid, uid);
      assert.ok(events.includes("SecretDeleted: Deleted Secret/pair -n data"), events.join("\n"));

      const fixed = { namespace, name: "fixed" };
      await cluster.put(resources.configMaps, { metadata: fixed, data: { a: "1" }, immutable: true });
      await ensureData(objects, resources.configMaps, { metadata: fixed, data: { a: "2" } });
      assert.deepEqual(await dataOf(resources.configMaps, "fixed"), { a: "2" });
    });

    test("a pod is created once, and what admission adds to it stays", async () => {
      await cluster.put(resources.serviceAccounts, { metadata: { namespace, name: "default" } });
      const spec = { containers: [{ name: "c", image: "i" }], tolerations: [{ operator: "Exists" }] };
      const wanted = { metadata: { namespace, name: "pod" }, spec };
      assert.equal(await objects.create(resources.pods, wanted), "created");
      const created = await live(resources.pods, "pod");
      assert.equal(await objects.create(resources.pods, wanted), "unchanged");
      assert.deepEqual(await live(resources.pods, "pod"), created);
      assert.deepEqual(
        events.filter((each) => each.includes("Pod/")),
        ["PodCreated: Created Pod/pod -n data because it was missing"],
      );
    });

    test("a token of a service account keeps what the cluster filled in", async () => {
      await cluster.put(resources.serviceAccounts, { metadata: { namespace, name: "robot" } });
      const annotations = { "kubernetes.io/service-account.name": "robot" };
      const metadata = { namespace, name: "token", annotations };
      const type = "kubernetes.io/service-account-token";
      await cluster.put(resources.secrets, { metadata, type, data: { token: "MQ==" } });
      assert.equal(await ensureData(objects, resources.secrets, { metadata, type }), "unchanged");
      assert.equal(valueAt(await dataOf(resources.secrets, "token"), "token"), "MQ==");
    });
  });
}
