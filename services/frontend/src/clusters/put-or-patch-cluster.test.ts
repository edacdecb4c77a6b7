import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { replace } from "@keelson/database";
import { type ClusterAddress, clusterBody } from "../testing/cluster-request.ts";
import {
  assertDetails,
  assertError,
  createCluster,
  interferingCommits,
  newAddress,
  newCluster,
} from "../testing/clusters.ts";
import { fail, operationsOf, storedCluster, succeed } from "../testing/fake-worker.ts";
import { startTestFrontend, type TestFrontend } from "../testing/test-frontend.ts";

const signal = new AbortController().signal;
const interference = interferingCommits();
let frontend: TestFrontend;
before(async () => {
  frontend = await startTestFrontend(interference);
});
after(() => frontend[Symbol.asyncDispose]());

describe("PUT and PATCH of an existing cluster", () => {
  test("PATCH of nothing is an update; tags are replaced as a whole", async () => {
    const address = await newCluster(frontend);
    const empty = await frontend.client.patch(address.url, {});
    assert.equal(empty.status, 200, empty.text);
    assert.match(empty.text, /"provisioningState": "Updating"/);
    assert.deepEqual(empty.json.tags, { owner: "tests" });
    assert.match(`${empty.headers["azure-asyncoperation"]}`, /\/operationsstatus\//);
    await succeed(frontend.database, address);
    const tagged = await frontend.client.patch(address.url, { tags: { a: "1" } });
    assert.deepEqual(tagged.json.tags, { a: "1" });
    const { document } = await storedCluster(frontend.database, address);
    assert.equal(document.openShiftCluster.properties.lastProvisioningState, "Succeeded");
  });

  test("PUT of the result of GET, without read-only properties, is an update, and secrets are optional", async () => {
    const address = await newCluster(frontend);
    const { systemData: _, ...shown } = (await frontend.client.get(address.url)).json;
    const response = await frontend.client.put(address.url, shown);
    assert.equal(response.status, 200, response.text);
    const { properties } = (await storedCluster(frontend.database, address)).document.openShiftCluster;
    assert.equal(properties.servicePrincipalProfile?.clientSecret.reveal(), "client-secret-of-the-test");
  });

  test("the number of workers cannot be changed", async () => {
    const address = await newCluster(frontend);
    const body = { properties: { workerProfiles: [{ name: "worker", count: 5 }] } };
    assertError(
      await frontend.client.patch(address.url, body),
      400,
      "PropertyChangeNotAllowed",
      "Changing property 'properties.workerProfiles['worker'].count' is not allowed.",
      "properties.workerProfiles['worker'].count",
    );
  });

  test("all forbidden changes are reported together with other faults", async () => {
    const address = await newCluster(frontend);
    const body = {
      location: "westeurope",
      properties: {
        clusterProfile: { version: "4.20.0" },
        workerProfiles: [{ name: "worker", count: 5, diskSizeGB: 256 }],
      },
    };
    const { error } = await frontend.client.patch(address.url, body);
    assertDetails(error, [
      ["InvalidParameter", "location"],
      ["PropertyChangeNotAllowed", "properties.clusterProfile.version"],
      ["PropertyChangeNotAllowed", "properties.workerProfiles['worker'].count"],
      ["PropertyChangeNotAllowed", "properties.workerProfiles['worker'].diskSizeGB"],
    ]);
  });

  test("If-Match prevents overwriting an unread version, and each response has an ETag", async () => {
    const address = await newCluster(frontend);
    const { client } = frontend;
    const seen = `${(await client.get(address.url)).headers.etag}`;
    const patch = (etag: string) =>
      client.patch(address.url, { tags: { etag } }, { headers: { "if-match": etag } });
    const patched = await patch(seen);
    assert.equal(patched.status, 200, patched.text);
    await succeed(frontend.database, address);
    const [stale, none] = [await patch(seen), await patch(`${patched.headers.etag}`)];
    for (const refused of [stale, none]) assertError(refused, 412, "PreconditionFailed");
    assert.equal(
      (await client.delete(address.url, { headers: { "if-match": seen } })).status,
      412,
      "a deletion as well",
    );
    const now = `${(await client.get(address.url)).headers.etag}`;
    assert.equal((await patch(`"x", W/${now}`)).status, 200);
  });

  test("If-Match is evaluated again after a write before the commit", async () => {
    const address = await newCluster(frontend);
    const etag = `${(await frontend.client.get(address.url)).headers.etag}`;
    interference.beforeNextCommit(async () => {
      assert.equal((await frontend.connect().patch(address.url, { tags: {} })).status, 200);
      await succeed(frontend.database, address);
    });
    const late = await frontend.client.patch(address.url, {}, { headers: { "if-match": etag } });
    assertError(late, 412, "PreconditionFailed");
  });

  for (const state of ["Suspended", "Warned", "Unregistered", "Deleted"]) {
    test(`no cluster is created or changed once its subscription is ${state}, even between reading it and the commit`, async () => {
      const [existing, address] = [await newCluster(frontend), await newAddress(frontend, "late")];
      const before = await storedCluster(frontend.database, existing);
      const announce =
        ({ subscriptionId }: ClusterAddress) =>
        async () => {
          const { status, text } = await frontend
            .connect()
            .put(`/subscriptions/${subscriptionId}`, { state });
          assert.equal(status, 200, text);
        };
      interference.beforeNextCommit(announce(address));
      const created = await frontend.client.put(address.url, clusterBody(address));
      interference.beforeNextCommit(announce(existing));
      const changed = await frontend.client.patch(existing.url, { tags: {} });
      const message = `Request is not allowed in subscription in state '${state}'.`;
      for (const refused of [created, changed])
        assertError(refused, 400, "InvalidSubscriptionState", message);
      const { subscriptionId } = address;
      const { items } = await frontend.database.collections.clusters.list(
        { partitionKey: subscriptionId, limit: 1 },
        signal,
      );
      assert.deepEqual([items, await operationsOf(frontend.database, subscriptionId)], [[], []]);
      assert.equal((await storedCluster(frontend.database, existing)).etag, before.etag);
    });
  }

  test("a write that keeps the state of the subscription does not prevent a creation", async () => {
    const address = await newAddress(frontend, "renewed");
    interference.beforeNextCommit(async () => {
      const body = {
        state: "Registered",
        properties: { registeredFeatures: [{ name: "a", state: "Registered" }] },
      };
      assert.equal(
        (await frontend.connect().put(`/subscriptions/${address.subscriptionId}`, body)).status,
        200,
      );
    });
    assert.equal((await frontend.client.put(address.url, clusterBody(address))).status, 201);
  });

  test("PATCH of a cluster that does not exist is 404", async () => {
    const address = await newAddress(frontend, "Missing");
    assertError(
      await frontend.client.patch(address.url, clusterBody(address)),
      404,
      "ResourceNotFound",
      "The Resource 'openshiftclusters/missing' under resource group 'group' was not found.",
    );
  });

  test("a failed creation or deletion can only be deleted", async () => {
    const address = await newAddress(frontend);
    await createCluster(frontend, address);
    const error = { code: "InvalidLinkedVNet", message: "no" };
    await fail(frontend.database, address, error);
    assertError(
      await frontend.client.patch(address.url, {}),
      400,
      "RequestNotAllowed",
      "Request is not allowed on cluster whose creation failed. Delete the cluster.",
    );
    assert.equal((await frontend.client.delete(address.url)).status, 202);
    await fail(frontend.database, address, error);
    assertError(
      await frontend.client.patch(address.url, {}),
      400,
      "RequestNotAllowed",
      "Request is not allowed on cluster whose deletion failed. Delete the cluster.",
    );
  });

  test("a creation with a temporary failure resumes with the next PUT, which may correct the fault", async () => {
    const address = await newAddress(frontend);
    await createCluster(frontend, address);
    const error = { code: "InvalidServicePrincipalCredentials", message: "no" };
    await fail(frontend.database, address, error, { creationResumable: true, infraId: "demo-x1x2x" });
    assertError(await frontend.client.patch(address.url, {}), 400, "RequestNotAllowed");
    const body = clusterBody(address);
    const moved = {
      ...body.properties,
      clusterProfile: { ...body.properties.clusterProfile, domain: "other" },
    };
    const target = "properties.clusterProfile.domain";
    assert.equal(
      (await frontend.client.put(address.url, { ...body, properties: moved })).error?.target,
      target,
    );
    const again = await frontend.client.put(address.url, body);
    assert.equal(again.status, 200, again.text);
    assert.ok(again.headers["azure-asyncoperation"]);
    assert.match(again.text, /"provisioningState": "Creating"/);
    const { properties } = (await storedCluster(frontend.database, address)).document.openShiftCluster;
    assert.equal(properties.infraId, "demo-x1x2x");
    assert.equal(
      properties.servicePrincipalProfile?.clientId,
      body.properties.servicePrincipalProfile.clientId,
    );
    assert.equal(properties.creationResumable, undefined);
    assert.equal(properties.failedProvisioningState, undefined);
  });

  test("unknown properties survive an update, at every depth", async () => {
    const address = await newCluster(frontend);
    const stored = await storedCluster(frontend.database, address);
    const { openShiftCluster } = stored.document;
    const { properties } = openShiftCluster;
    const document = {
      ...stored.document,
      futureMember: 1,
      openShiftCluster: {
        ...openShiftCluster,
        properties: {
          ...properties,
          networkProfile: { ...properties.networkProfile, futureMember: { deep: [2] } },
        },
      },
    };
    const { clusters } = frontend.database.collections;
    await frontend.database.commit(address.subscriptionId, [replace(clusters, stored, document)], { signal });
    assert.equal((await frontend.client.patch(address.url, {})).status, 200);
    const after = await storedCluster(frontend.database, address);
    assert.equal(Reflect.get(after.document, "futureMember"), 1);
    const network = after.document.openShiftCluster.properties.networkProfile;
    assert.deepEqual(Reflect.get(network, "futureMember"), { deep: [2] });
  });
});

describe("concurrent requests", () => {
  test("of two PATCHes one wins, and the other gets the error that the cluster is updating", async () => {
    for (let round = 0; round < 5; round++) {
      const address = await newCluster(frontend);
      const [one, two] = [frontend.connect(), frontend.connect()];
      const responses = await Promise.all([
        one.patch(address.url, { tags: { by: "one" } }),
        two.patch(address.url, { tags: { by: "two" } }),
      ]);
      const [won, lost] = responses.sort((a, b) => a.status - b.status);
      assert.ok(won && lost);
      assert.equal(won.status, 200);
      assertError(lost, 400, "RequestNotAllowed", "Request is not allowed in provisioningState 'Updating'.");
      const { tags } = (await storedCluster(frontend.database, address)).document.openShiftCluster;
      assert.deepEqual(tags, won.json.tags);
      assert.equal((await operationsOf(frontend.database, address.subscriptionId)).length, 2);
    }
  });

  test("of two PUTs of one new cluster one creates it", async () => {
    const address = await newAddress(frontend);
    const body = clusterBody(address);
    const responses = await Promise.all([
      frontend.client.put(address.url, body),
      frontend.connect().put(address.url, body),
    ]);
    assert.deepEqual(responses.map((each) => each.status).sort(), [201, 400]);
    assert.equal((await operationsOf(frontend.database, address.subscriptionId)).length, 1);
  });

  test("a write between the read and the commit causes a second attempt that reads it", async () => {
    const address = await newCluster(frontend);
    interference.beforeNextCommit(async () => {
      const stored = await storedCluster(frontend.database, address);
      const document = { ...stored.document, futureMember: "written in between" };
      const { clusters } = frontend.database.collections;
      await frontend.database.commit(address.subscriptionId, [replace(clusters, stored, document)], {
        signal,
      });
    });
    const response = await frontend.client.patch(address.url, { tags: {} });
    assert.equal(response.status, 200, response.text);
    const { document } = await storedCluster(frontend.database, address);
    assert.equal(Reflect.get(document, "futureMember"), "written in between");
    assert.equal((await operationsOf(frontend.database, address.subscriptionId)).length, 2);
  });

  test("a cluster created between the read and the commit is found by a second attempt", async () => {
    const address = await newAddress(frontend);
    const body = clusterBody(address);
    interference.beforeNextCommit(async () => {
      assert.equal((await frontend.connect().put(address.url, body)).status, 201);
    });
    const late = await frontend.client.put(address.url, body);
    assertError(late, 400, "RequestNotAllowed", "Request is not allowed in provisioningState 'Creating'.");
  });
});
