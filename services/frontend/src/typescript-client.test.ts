import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { type OpenShiftCluster, RedHatOpenShiftClient } from "@keelson/arm-redhatopenshift";
import { RedHatOpenShiftClient as FirstClient } from "@keelson/arm-redhatopenshift/2019-12-31-preview";
import { type ClusterAddress, clusterBody, location } from "./testing/cluster-request.ts";
import { newAddress, newCluster } from "./testing/clusters.ts";
import { finishDeletion, succeed } from "./testing/fake-worker.ts";
import { defaultVersion, startTestFrontend, type TestFrontend } from "./testing/test-frontend.ts";

/** Tests the client of `clients/typescript` with the real frontend. The test acts as the worker. */
describe("the TypeScript client", { timeout: 900_000 }, () => {
  let frontend: TestFrontend;
  let address: ClusterAddress;

  before(async () => {
    frontend = await startTestFrontend();
    address = await newAddress(frontend);
  });

  after(() => frontend[Symbol.asyncDispose]());

  const credential = {
    getToken: async () => ({ token: "token-of-the-test", expiresOnTimestamp: Date.now() + 3_600_000 }),
  };

  function clientOptions() {
    return { endpoint: frontend.url, tlsOptions: { ca: frontend.authority.certificatePem } };
  }

  function clientFor({ subscriptionId }: ClusterAddress): RedHatOpenShiftClient {
    return new RedHatOpenShiftClient(credential, subscriptionId, clientOptions());
  }

  test("a cluster is created, changed and deleted", async () => {
    const { openShiftClusters } = clientFor(address);
    const { resourceGroup, name } = address;

    const creation = openShiftClusters.createOrUpdate(resourceGroup, name, clusterBody(address));
    await creation.submitted();
    assert.equal((await creation.poll()).status, "running");
    await succeed(frontend.database, address);
    const created = await creation;
    assert.equal(created.properties?.provisioningState, "Succeeded");
    assert.equal(created.properties.clusterProfile?.version, defaultVersion);

    const read = await openShiftClusters.get(resourceGroup, name);
    assert.deepEqual(read, created);

    const update = openShiftClusters.update(resourceGroup, name, { tags: { owner: "somebody else" } });
    await update.submitted();
    await succeed(frontend.database, address);
    const updated = await update;
    assert.deepEqual(updated.tags, { owner: "somebody else" });

    const deletion = openShiftClusters.delete(resourceGroup, name);
    await deletion.submitted();
    await finishDeletion(frontend.database, address);
    await deletion;
    await assert.rejects(openShiftClusters.get(resourceGroup, name), {
      name: "RestError",
      code: "ResourceNotFound",
      statusCode: 404,
    });
  });

  test("a client can send back a read cluster, because it omits read-only properties", async () => {
    const existing = await newCluster(frontend, "echo");
    const { openShiftClusters } = clientFor(existing);
    const read = await openShiftClusters.get(existing.resourceGroup, existing.name);
    assert.ok(read.systemData, "there is something that must not be sent");
    const again = openShiftClusters.update(existing.resourceGroup, existing.name, read);
    await again.submitted();
    await succeed(frontend.database, existing);
    assert.deepEqual((await again).properties, read.properties);
  });

  test("a list continues over all pages", async () => {
    const at = await newAddress(frontend, "many");
    const names = Array.from({ length: 11 }, (_, index) => `many-${String(index).padStart(2, "0")}`);
    const { openShiftClusters } = clientFor(at);
    for (const name of names) {
      const one = { ...at, name, id: at.id.replace(/[^/]+$/, name) };
      await openShiftClusters.createOrUpdate(at.resourceGroup, name, clusterBody(one)).submitted();
    }
    const found: OpenShiftCluster[] = [];
    for await (const cluster of openShiftClusters.list()) found.push(cluster);
    assert.deepEqual(found.map(({ name }) => name).sort(), names);
    const pages = await Array.fromAsync(openShiftClusters.listByResourceGroup(at.resourceGroup).byPage());
    assert.deepEqual(
      pages.map((page) => page.length),
      [10, 1],
    );
  });

  test("an operation that fails rejects with the error of the service", async () => {
    const { openShiftClusters } = clientFor(address);
    const refused = openShiftClusters.createOrUpdate(address.resourceGroup, "refused", { location });
    await assert.rejects(Promise.resolve(refused), {
      name: "RestError",
      statusCode: 400,
      code: "InvalidParameter",
    });
  });

  test("catalogues are read, and an aborted call ends", async () => {
    const client = clientFor(address);
    const versions = await Array.fromAsync(client.openShiftVersions.list(location));
    assert.deepEqual(
      versions.map((version) => version.properties?.version),
      [defaultVersion],
    );
    const operations = await Array.fromAsync(client.operations.list());
    assert.ok(operations.some(({ name }) => name === "Microsoft.RedHatOpenShift/openShiftClusters/write"));
    const abortSignal = AbortSignal.abort();
    await assert.rejects(client.openShiftVersions.get(location, defaultVersion, { abortSignal }), /abort/i);
  });

  test("the first version has a separate client", async () => {
    const existing = await newCluster(frontend, "first");
    const client = new FirstClient(credential, existing.subscriptionId, clientOptions());
    const { kubeadminUsername } = await client.openShiftClusters.listCredentials(
      existing.resourceGroup,
      existing.name,
    );
    assert.equal(kubeadminUsername, "kubeadmin");
    assert.equal("openShiftVersions" in client, false);
  });

  test("a name that would change the path is refused or written as one segment", async () => {
    const { openShiftClusters } = clientFor({ ...address, subscriptionId: randomUUID() });
    await assert.rejects(openShiftClusters.get("group", ""), /resourceName must not be empty/);
    await assert.rejects(openShiftClusters.get("group/providers", "x"), { name: "RestError" });
  });
});
