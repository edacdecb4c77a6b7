import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { valueAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import {
  condition,
  provesRepair,
  type TestCluster,
  type TestOperator,
  testServers,
} from "../../testing/index.ts";
import { imageConfig } from "./controller.ts";

const { configImages } = resources;
const key = { name: "cluster" };
const required = ["arosvc.example.io", "arosvc.eastus.data.azurecr.io"];

for (const { name, start } of testServers) {
  describe(`the registries of images on ${name}`, () => {
    let cluster: TestCluster;
    let operator: TestOperator;
    const degraded = () => condition(cluster, "ImageConfigControllerDegraded");
    const live = () => cluster.api.get(configImages, key, cluster.signal);
    const sources = async () => valueAt(await live(), "spec", "registrySources");
    const set = (registrySources: Record<string, unknown> | null) =>
      cluster.api.mergePatch(configImages, key, { spec: { registrySources } }, cluster.signal);
    before(async () => {
      cluster = await start({ kinds: [configImages] });
      await acceptBothLists(cluster);
      operator = await cluster.start({ controllers: [imageConfig] });
    });
    after(() => cluster[Symbol.asyncDispose]());

    test("an Image that is missing is named", async () => {
      await cluster.eventually(async () =>
        assert.equal((await degraded()).message, `images.config.openshift.io "cluster" not found`),
      );
      await cluster.put(configImages, { metadata: key, spec: {} });
      await cluster.eventually(async () => assert.equal((await degraded()).status, "False"));
    });

    test("acceptance 17: those of the service are added to those allowed; with both lists nothing changes", async () => {
      await set({ allowedRegistries: ["quay.io"] });
      const added = { allowedRegistries: ["quay.io", ...required] };
      await cluster.eventually(async () => assert.deepEqual(await sources(), added));
      await set({ allowedRegistries: ["quay.io"], blockedRegistries: ["example.com"] });
      await cluster.eventually(async () =>
        assert.deepEqual(await degraded(), {
          status: "True",
          reason: "ReconcileFailed",
          message: "both AllowedRegistries and BlockedRegistries are present",
        }),
      );
      assert.deepEqual(await sources(), {
        allowedRegistries: ["quay.io"],
        blockedRegistries: ["example.com"],
      });
      await set({ blockedRegistries: null });
      await cluster.eventually(async () => assert.deepEqual(await sources(), added));
      await cluster.eventually(async () => assert.equal((await degraded()).status, "False"));
    });

    test("is repaired, and not written where nothing differs", async () => {
      await provesRepair(cluster, operator, {
        resource: configImages,
        key,
        edit: { spec: { registrySources: { allowedRegistries: ["quay.io", required[0]] } } },
        recreated: false,
      });
      const { metadata } = await live();
      const reordered = ["quay.io", ...required].reverse();
      await set({ allowedRegistries: reordered });
      await cluster.configure({ location: "westus" });
      await cluster.configure({ location: "eastus" });
      await operator.quiet();
      assert.notEqual((await live()).metadata.resourceVersion, metadata.resourceVersion);
      assert.equal(await operator.metric("keelson_controller_noop_writes_total"), 0);
    });

    test("they are not blocked", async () => {
      await set({ allowedRegistries: null, blockedRegistries: ["example.com", ...required] });
      await cluster.eventually(async () =>
        assert.deepEqual(await sources(), { blockedRegistries: ["example.com"] }),
      );
    });

    test("changes of the flag and of the Cluster are followed", async () => {
      await cluster.configure({ operatorflags: { "aro.imageconfig.enabled": "false" } });
      await operator.quiet();
      await set({ blockedRegistries: null, allowedRegistries: ["quay.io"] });
      await operator.quiet();
      assert.deepEqual(await sources(), { allowedRegistries: ["quay.io"] });
      await cluster.configure({ operatorflags: { "aro.imageconfig.enabled": "true" } });
      const added = { allowedRegistries: ["quay.io", ...required] };
      await cluster.eventually(async () => assert.deepEqual(await sources(), added));
      await cluster.configure({ azEnvironment: "AzureChinaCloud" });
      await cluster.eventually(async () =>
        assert.match((await degraded()).message, /^spec\.azEnvironment of the Cluster is 'AzureChinaCloud'/),
      );
      await cluster.configure({ azEnvironment: "AzurePublicCloud" });
      await cluster.eventually(async () => assert.equal((await degraded()).status, "False"));
    });
  });
}

/**
 * Removes the schema rule that forbids a list of allowed registries together with a list of blocked registries. Older OpenShift
 * releases do not have this rule.
 */
async function acceptBothLists({ api, signal, eventually }: TestCluster): Promise<void> {
  const [schema, rules] = ["/spec/versions/0/schema/openAPIV3Schema", "x-kubernetes-validations"];
  const path = `${schema}/properties/spec/properties/registrySources/${rules}`;
  const definition = { name: "images.config.openshift.io" };
  await api.jsonPatch(resources.customResourceDefinitions, definition, [{ op: "remove", path }], signal);
  const both = { allowedRegistries: ["quay.io"], blockedRegistries: ["example.com"] };
  await eventually(() =>
    api.ensure(
      configImages,
      {
        apiVersion: "config.openshift.io/v1",
        kind: "Image",
        metadata: { name: "trial" },
        spec: { registrySources: both },
      },
      signal,
    ),
  );
}
