import assert from "node:assert/strict";
import { createHash, randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import {
  addKinds,
  namespace,
  type SimulatedCluster,
  startSimulatedCluster,
} from "@keelson/admin-actions/testing";
import { isPlainObject } from "@keelson/base";
import { replace } from "@keelson/database";
import { connectKube, type KubeClient, type KubeResource, resources } from "@keelson/kube";
import { captureLog } from "../testing/captured-log.ts";
import type { ClusterAddress } from "../testing/cluster-request.ts";
import { assertError, newCluster } from "../testing/clusters.ts";
import { storedCluster } from "../testing/fake-worker.ts";
import { startTestFrontend, type TestFrontend } from "../testing/test-frontend.ts";

const signal = AbortSignal.timeout(900_000);
const firstPem = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
let certificatePem = firstPem;
const log = captureLog();
let cluster: SimulatedCluster;
let hive: KubeClient;
let frontend: TestFrontend;
let address: ClusterAddress;

before(async () => {
  // One cluster serves two purposes. The portal connects to it, and Hive runs on it.
  cluster = await startSimulatedCluster();
  hive = connectKube({ kubeconfig: cluster.kubeconfig, userAgent: "test", fieldManager: "test" });
  frontend = await startTestFrontend({
    connectCluster: cluster.connect,
    portal: () => ({
      url: "https://eastus.portal.example",
      certificatePem,
      ssh: { hostKey: "ssh-rsa AAAA", port: 22 },
    }),
    hive,
    logger: log.logger,
  });
  address = await newCluster(frontend);
});
after(async () => {
  await frontend?.[Symbol.asyncDispose]();
  await hive?.[Symbol.asyncDispose]();
  await cluster?.[Symbol.asyncDispose]();
});

const pathOf = (suffix: string) => `/admin${address.id}/${suffix}`;
const callerOf = (lastModifiedBy: string) => ({
  "x-ms-arm-resource-system-data": JSON.stringify({ createdBy: "first@example.com", lastModifiedBy }),
});
const ada = callerOf("ada@example.com");

async function sessionOf(token: unknown) {
  assert.ok(typeof token === "string" && /^[0-9a-f-]{36}$/.test(token));
  const id = createHash("sha256").update(token).digest("hex");
  return (await frontend.database.collections.portalSessions.find(id, id, signal))?.document;
}

describe("kubeconfigs", () => {
  const post = (suffix: string, headers: Record<string, string> = ada) =>
    frontend.client.post(pathOf(suffix), { headers });

  for (const [suffix, elevated, file] of [
    ["kubeconfig/new", false, "demo.kubeconfig"],
    ["kubeconfig/newelevated", true, "demo-elevated.kubeconfig"],
  ] as const) {
    test(`${suffix} connects through the portal for six hours`, async () => {
      const { status, headers, text } = await post(suffix);
      assert.equal(status, 200);
      assert.equal(headers["content-type"], "application/json");
      assert.equal(headers["content-disposition"], `attachment; filename="${file}"`);
      assert.ok(text.endsWith("}"));
      const config: unknown = JSON.parse(text);
      assert.ok(isPlainObject(config) && Array.isArray(config.users) && Array.isArray(config.clusters));
      const id = address.id.toLowerCase();
      assert.deepEqual(config.clusters[0].cluster, {
        server: `https://eastus.portal.example${id}/kubeconfig/proxy`,
        "certificate-authority-data": Buffer.from(certificatePem).toString("base64"),
      });
      const session = await sessionOf(config.users[0].user.token);
      assert.equal(session?.ttlSeconds, 21_600);
      assert.deepEqual(session?.portal, { username: "ada@example.com", id, kubeconfig: { elevated } });
      assert.ok(!log.text().includes(config.users[0].user.token));
    });
  }

  test("a kubeconfig trusts the certificate that the portal has now", async () => {
    certificatePem = firstPem.replace("AAAA", "BBBB");
    try {
      const { clusters } = JSON.parse((await post("kubeconfig/new")).text);
      const trusted = clusters[0].cluster["certificate-authority-data"];
      assert.equal(Buffer.from(trusted, "base64").toString(), certificatePem);
    } finally {
      certificatePem = firstPem;
    }
  });

  test("the person is optional, but the cluster must exist", async () => {
    assert.equal((await post("kubeconfig/new", {})).status, 200);
    const gone = await frontend.client.post(`/admin${address.id}x/kubeconfig/new`);
    assertError(gone, 404, "ResourceNotFound");
  });
});

describe("ssh", () => {
  const post = (body: object | string, headers: Record<string, string> = ada) =>
    frontend.client.post(pathOf("ssh/newelevated"), { body, headers });

  test("a password is for one master, for a minute", async () => {
    const { status, json } = await post({ master: 1 });
    assert.equal(status, 200);
    assert.match(`${json.command}`, / ada@eastus\.portal\.example$/);
    const session = await sessionOf(json.password);
    assert.equal(session?.ttlSeconds, 60);
    const id = address.id.toLowerCase();
    assert.deepEqual(session?.portal, { username: "ada@example.com", id, ssh: { master: 1 } });
    assert.ok(!log.text().includes(`${json.password}`));
  });

  test("the user of a person who is identified by tenant and object is the object ID", async () => {
    const { status, json } = await post({ master: 1 }, callerOf("tenant/object"));
    assert.equal(status, 200);
    assert.match(`${json.command}`, / object@eastus\.portal\.example$/);
    assert.equal((await sessionOf(json.password))?.portal.username, "tenant/object");
  });

  test("invalid requests are rejected before anything is stored", async () => {
    assertError(await post({ master: 3 }), 400, "InvalidParameter", "master must be 0, 1, or 2.", "master");
    assertError(await post({ master: -1 }), 400, "InvalidParameter");
    for (const body of [{ master: "1" }, { master: 0.5 }, [], "{"])
      assertError(await post(body), 400, "InvalidRequestContent");
    assert.equal((await post({})).status, 200);
    const nobody = "The caller identity could not be determined from the request.";
    assertError(await post({ master: 0 }, {}), 400, "InvalidParameter", nobody);
    const odd = "The caller identity contains unsupported characters.";
    for (const name of ["a;b@x", "@example.com", "-oX=y@x"])
      assertError(await post({ master: 0 }, callerOf(name)), 400, "InvalidParameter", odd);
    const gone = await frontend.client.post(`/admin${address.id}x/ssh/newelevated`, {
      body: {},
      headers: ada,
    });
    assertError(gone, 404, "ResourceNotFound");
  });
});

describe("hive", () => {
  const kinds: readonly KubeResource[] = [
    {
      group: "hive.openshift.io",
      version: "v1",
      plural: "clusterdeployments",
      kind: "ClusterDeployment",
      namespaced: true,
    },
    {
      group: "hiveinternal.openshift.io",
      version: "v1alpha1",
      plural: "clustersyncs",
      kind: "ClusterSync",
      namespaced: true,
    },
    { group: "hive.openshift.io", version: "v1", plural: "syncsets", kind: "SyncSet", namespaced: true },
    {
      group: "hive.openshift.io",
      version: "v1",
      plural: "selectorsyncsets",
      kind: "SelectorSyncSet",
      namespaced: false,
    },
  ];
  const aro = `aro-${randomUUID()}`;
  const get = (path: string) => frontend.client.get(path);

  before(async () => {
    await addKinds(hive, kinds, signal);
    await hive.create(resources.namespaces, namespace(aro), signal);
    for (const kind of kinds) {
      const metadata = kind.namespaced
        ? { name: "cluster", namespace: aro }
        : { name: "everywhere", labels: { a: "b" } };
      const apiVersion = `${kind.group}/${kind.version}`;
      await hive.create(kind, { apiVersion, kind: kind.kind, metadata, spec: {} }, signal);
    }
  });

  test("a cluster that Hive does not manage returns nothing", async () => {
    for (const suffix of ["clusterdeployment", "clustersync"]) {
      const { status, text } = await get(pathOf(suffix));
      assert.deepEqual([status, text], [204, ""]);
    }
  });

  test("a cluster's deployment and its state come from Hive", async () => {
    await setHive(aro);
    assert.equal((await get(pathOf("clusterdeployment"))).json.kind, "ClusterDeployment");
    assert.equal((await get(pathOf("clustersync"))).json.kind, "ClusterSync");
    await setHive("aro-elsewhere");
    assertError(await get(pathOf("clusterdeployment")), 404, "NotFound", "cluster deployment not found");
    assertError(await get(pathOf("clustersync")), 404, "NotFound");
  });

  test("sync sets belong to a namespace, selector sync sets are cluster-scoped", async () => {
    const sets = "/admin/hivesyncset";
    assert.equal((await get(`${sets}?issyncset=true&cdnamespace=${aro}`)).json.kind, "SyncSetList");
    const { json } = await get(`${sets}?issyncset=false&label=a%3Db`);
    assert.ok(json.kind === "SelectorSyncSetList" && Array.isArray(json.items) && json.items.length === 1);
    const none = (await get(`${sets}?issyncset=false&label=a%3Dc`)).json.items;
    assert.deepEqual(none, []);
    const one = `${sets}/syncsetname`;
    assert.equal((await get(`${one}/everywhere?issyncset=0`)).json.kind, "SelectorSyncSet");
    assert.equal((await get(`${one}/cluster?issyncset=1&cdnamespace=${aro}`)).json.kind, "SyncSet");
    assertError(await get(`${one}/nowhere?issyncset=0`), 404, "NotFound");
    assertError(await get(sets), 400, "InvalidRequestContent", "invalid paremeter value: issyncset");
    assertError(await get(`${sets}?issyncset=perhaps`), 400, "InvalidRequestContent");
    assertError(
      await get(`${sets}?issyncset=true`),
      400,
      "InvalidRequestContent",
      "namespace cannot be null for listing syncsets",
    );
    assertError(await get(`${sets}?issyncset=false&cdnamespace=x`), 400, "InvalidRequestContent");
    assertError(
      await get(`${one}/x?issyncset=true`),
      400,
      "InvalidRequestContent",
      "namespace cannot be null for getting a syncset",
    );
  });

  test("objects of Hive's cluster can be read, except secrets", async () => {
    const objects = "/admin/hive/k8sobjects";
    const list = await get(`${objects}/clusterdeployment.hive.openshift.io?namespace=${aro}`);
    assert.equal(list.json.kind, "ClusterDeploymentList");
    const one = await get(`${objects}/syncsets.hive.openshift.io?namespace=${aro}&name=cluster`);
    assert.equal(one.json.kind, "SyncSet");
    assertError(await get(`${objects}/secrets?namespace=${aro}`), 403, "Forbidden");
    assertError(await get(`${objects}/nonsense`), 400, "InvalidParameter");
    assertError(await get(`${objects}/pods?namespace=a%2Fb`), 400, "InvalidParameter");
    assertError(await get(`${objects}/pods?namespace=${aro}&name=x`), 404, "NotFound", undefined, "pods/x");
  });

  test("values of Secrets in sync sets are redacted on every route", async () => {
    const kind = kinds.find(({ plural }) => plural === "syncsets") ?? assert.fail();
    const values = { password: "c3VwZXJzZWNyZXQ=" };
    const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "pull" }, data: values };
    const metadata = { name: "secretive", namespace: aro };
    const apiVersion = `${kind.group}/${kind.version}`;
    await hive.create(kind, { apiVersion, kind: kind.kind, metadata, spec: { resources: [secret] } }, signal);
    for (const path of [
      `/admin/hivesyncset?issyncset=true&cdnamespace=${aro}`,
      `/admin/hivesyncset/syncsetname/secretive?issyncset=true&cdnamespace=${aro}`,
      `/admin/hive/k8sobjects/syncsets.hive.openshift.io?namespace=${aro}`,
      `/admin/hive/k8sobjects/syncsets.hive.openshift.io?namespace=${aro}&name=secretive`,
    ]) {
      const { status, text } = await get(path);
      assert.equal(status, 200, path);
      assert.ok(!text.includes(values.password), path);
      assert.match(text, /"password":\s*"REDACTED"/);
    }
  });

  async function setHive(name: string): Promise<void> {
    const { database } = frontend;
    const stored = await storedCluster(database, address);
    const { openShiftCluster } = stored.document;
    const properties = { ...openShiftCluster.properties, hiveProfile: { namespace: name } };
    const document = { ...stored.document, openShiftCluster: { ...openShiftCluster, properties } };
    const write = replace(database.collections.clusters, stored, document);
    const result = await database.commit(address.subscriptionId, [write], { signal });
    assert.equal(result.kind, "committed");
  }
});
