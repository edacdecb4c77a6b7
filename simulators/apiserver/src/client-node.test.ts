import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { until } from "@keelson/base/testing/eventually";
import {
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  KubernetesObjectApi,
  makeInformer,
} from "@kubernetes/client-node";
import { TestServer, widgets } from "./testing/test-server.ts";

let server: TestServer;
let config: KubeConfig;
before(async () => {
  server = await TestServer.start();
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  config = new KubeConfig();
  config.loadFromClusterAndUser(
    {
      name: "demo",
      server: server.cluster.url,
      caData: base64(server.authority.certificatePem),
      skipTLSVerify: false,
    },
    {
      name: "admin",
      certData: base64(server.admin.certificatePem),
      keyData: base64(server.admin.privateKeyPem),
    },
  );
});
after(() => server[Symbol.asyncDispose]());

test("the official JavaScript client's informer follows the stored objects", async () => {
  const api = config.makeApiClient(CoreV1Api);
  const namespace = "default";
  const make = (name: string, data = {}) => ({ metadata: { name }, data });
  await api.createNamespacedConfigMap({ namespace, body: make("before") });
  const informer = makeInformer(config, `/api/v1/namespaces/${namespace}/configmaps`, () =>
    api.listNamespacedConfigMap({ namespace }),
  );
  await informer.start();
  try {
    await Promise.all(
      ["a", "b", "c"].map((name) => api.createNamespacedConfigMap({ namespace, body: make(name) })),
    );
    await api.replaceNamespacedConfigMap({ namespace, name: "b", body: make("b", { changed: "yes" }) });
    await api.deleteNamespacedConfigMap({ namespace, name: "a" });
    const truth = async () =>
      (await api.listNamespacedConfigMap({ namespace })).items.map(({ metadata }) => [
        metadata?.name,
        metadata?.resourceVersion,
      ]);
    const cached = () =>
      informer
        .list()
        .map(({ metadata }) => [metadata?.name, metadata?.resourceVersion])
        .sort();
    await until(async () => JSON.stringify(cached()) === JSON.stringify((await truth()).sort()));
    assert.ok(cached().some(([name]) => name === "before"));
  } finally {
    await informer.stop();
  }
});

test("the official JavaScript client works with custom resources through discovery", async () => {
  const objects = KubernetesObjectApi.makeApiClient(config);
  await objects.create({ ...widgets, metadata: { ...widgets.metadata } });
  const widget = {
    apiVersion: "example.com/v1",
    kind: "Widget",
    metadata: { name: "w", namespace: "default" },
    spec: { size: 2 },
  };
  await objects.create(widget);
  const custom = config.makeApiClient(CustomObjectsApi);
  const where = { group: "example.com", version: "v1", namespace: "default", plural: "widgets" };
  const { items }: { items: unknown[] } = await custom.listNamespacedCustomObject(where);
  assert.equal(items.length, 1);
  await objects.delete(widget);
  await assert.rejects(objects.read({ ...widget, metadata: { name: "w", namespace: "default" } }), {
    code: 404,
  });
});
