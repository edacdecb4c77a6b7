import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type ApiServer, type LogicalCluster, startApiServer } from "@keelson/apiserver";
import { createCertificateAuthority, issueCertificate, silentLogger, systemClock } from "@keelson/base";
import { eventually } from "@keelson/base/testing/eventually";
import { isExpired, isKubeNotFound } from "@keelson/kube";
import { namespaced, resources } from "../base/resources.ts";
import { startClusterCache } from "./cluster-cache.ts";
import { inProcessApi } from "./in-process-api.ts";

const { configMaps, services } = resources;
const signal = AbortSignal.timeout(900_000);
const deps = { clock: systemClock, logger: silentLogger };

describe("the cache of a logical cluster", () => {
  let server: ApiServer;
  let cluster: LogicalCluster;
  before(async () => {
    const authority = await createCertificateAuthority("test", 1);
    const tls = await issueCertificate(authority, {
      commonName: "localhost",
      dnsNames: ["localhost"],
      usage: "server",
      validDays: 1,
    });
    server = await startApiServer({ host: "localhost", port: 0, tls, storage: { kind: "memory" }, ...deps });
    const clientCertificateAuthorities = [authority.certificatePem];
    cluster = await server.createCluster({ name: "demo", clientCertificateAuthorities });
  });
  after(() => server[Symbol.asyncDispose]());

  const create = (name: string) =>
    cluster.client.create(configMaps, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { namespace: "default", name },
      data: { text: name },
    });

  test("contains the existing objects when it has synced, and then follows changes", async () => {
    await create("first");
    await using running = startClusterCache(cluster.client, deps);
    const informer = running.cache.informer(configMaps);
    await running.cache.synced();
    assert.ok(informer.get({ namespace: "default", name: "first" }));
    await create("second");
    await eventually(() => assert.ok(informer.get({ namespace: "default", name: "second" })));
    await cluster.client.delete(configMaps, { namespace: "default", name: "first" });
    await eventually(() => assert.equal(informer.get({ namespace: "default", name: "first" }), undefined));
  });

  test("contains complete workloads, and only metadata of most other kinds", async () => {
    await create("third");
    await using running = startClusterCache(cluster.client, deps);
    const [texts, addresses] = [running.cache.informer(configMaps), running.cache.informer(services)];
    await running.cache.synced();
    assert.equal(texts.get({ namespace: "default", name: "third" })?.data, undefined);
    assert.ok(addresses.get({ namespace: "default", name: "kubernetes" })?.spec);
  });

  test("counts a resource that is not served as empty", async () => {
    const absent = namespaced("example.com", "v1", "widgets", "Widget");
    await using running = startClusterCache(cluster.client, deps);
    const informer = running.cache.informer(absent);
    await running.cache.synced();
    assert.equal(informer.size, 0);
    await assert.rejects(inProcessApi(cluster.client).list(absent, {}, signal), isKubeNotFound);
  });

  test("learns when its revision is too old, so that it lists again", async () => {
    const { resourceVersion } = (await create("fourth")).metadata;
    await create("fifth");
    await cluster.forgetHistory();
    const watching = async () => {
      const options = { resourceVersion: resourceVersion ?? "" };
      for await (const _ of inProcessApi(cluster.client).watch(configMaps, options, signal)) break;
    };
    await assert.rejects(watching(), isExpired);
  });
});
