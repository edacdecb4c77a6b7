import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { clusterAddress, clusterBody, current } from "../testing/cluster-request.ts";
import {
  assertDetails,
  assertError,
  createCluster,
  newAddress,
  setSubscription,
} from "../testing/clusters.ts";
import { operationsOf, storedCluster, succeed } from "../testing/fake-worker.ts";
import {
  defaultVersion,
  retryAfterSeconds,
  startTestFrontend,
  type TestFrontend,
} from "../testing/test-frontend.ts";

let frontend: TestFrontend;
before(async () => {
  frontend = await startTestFrontend();
});
after(() => frontend[Symbol.asyncDispose]());

describe("PUT of a new cluster", () => {
  test("returns 201 with defaults and polling URLs, without secrets", async () => {
    const address = await newAddress(frontend, "Demo");
    const referer = `https://arm.example/ignored/path?api-version=${current}&t=1`;
    const response = await frontend.client.put(address.url, clusterBody(address), { headers: { referer } });
    assert.equal(response.status, 201, response.text);
    const { document } = await storedCluster(frontend.database, address);
    assert.equal(
      response.headers["azure-asyncoperation"],
      `https://arm.example/subscriptions/${address.subscriptionId}/providers/microsoft.redhatopenshift/locations/eastus/operationsstatus/${document.asyncOperationId}?api-version=${current}&t=1`,
    );
    assert.equal(response.headers["retry-after"], `${retryAfterSeconds}`);
    assert.equal(response.headers["content-type"], "application/json");
    assert.equal(response.headers.location, undefined);
    assert.match(response.text, new RegExp(`"version": "${defaultVersion.replaceAll(".", "\\.")}"`));
    assert.match(response.text, /"provisioningState": "Creating"/);
    assert.doesNotMatch(response.text, /pullSecret|clientSecret|client-secret-of-the-test/);
    assert.equal(response.json.id, address.id);
    assert.equal(response.json.name, "Demo");
    assert.equal(response.json.type, "Microsoft.RedHatOpenShift/openShiftClusters");
  });

  test("stores cluster and operation together, in the partition of the subscription", async () => {
    const subscriptionId = randomUUID();
    const address = clusterAddress(subscriptionId.toUpperCase(), "Demo");
    await setSubscription(frontend, subscriptionId, "Registered");
    await frontend.client.put(address.url, clusterBody(address), {
      headers: { "x-ms-correlation-request-id": "c1", "x-ms-client-request-id": "r1" },
    });
    const { document } = await storedCluster(frontend.database, { ...address, subscriptionId });
    const [operation, ...others] = await operationsOf(frontend.database, subscriptionId);
    assert.equal(others.length, 0);
    assert.equal(document.key, address.id.toLowerCase());
    assert.equal(document.partitionKey, subscriptionId);
    assert.equal(document.asyncOperationId, operation?.id);
    assert.equal(operation?.openShiftClusterKey, document.key);
    assert.equal(operation?.asyncOperation.status, "Creating");
    assert.ok(document.bucket >= 0 && document.bucket <= 255);
    assert.equal(document.correlationData?.correlationId, "c1");
    assert.equal(document.correlationData?.clientRequestId, "r1");
    assert.equal(document.openShiftCluster.properties.createdBy, "test");
  });

  const elsewhere = [
    {
      name: "the host of the request when there is no referer",
      headers: { host: "rp.example:1234" },
      origin: "https://rp.example:1234",
    },
    {
      name: "the host of the request when the referer is no http(s) URL",
      headers: { host: "rp.example", referer: "javascript:alert(1)" },
      origin: "https://rp.example",
    },
    {
      name: "localhost when the request's host is no host",
      headers: { host: "a b" },
      origin: "https://localhost:8443",
    },
  ];
  for (const { name, headers, origin } of elsewhere) {
    test(`polling URLs name ${name}`, async () => {
      const address = await newAddress(frontend);
      const { headers: answered } = await frontend.client.put(address.url, clusterBody(address), { headers });
      const url = new URL(`${answered["azure-asyncoperation"]}`);
      assert.equal(url.origin, origin);
      assert.equal(url.search, `?api-version=${current}`);
    });
  }

  test("is refused in a subscription that is unknown or not registered", async () => {
    const address = clusterAddress(randomUUID());
    const put = () => frontend.client.put(address.url, clusterBody(address));
    assertError(
      await put(),
      400,
      "InvalidSubscriptionState",
      `Request is not allowed in unregistered subscription '${address.subscriptionId}'.`,
    );
    await setSubscription(frontend, address.subscriptionId, "Warned");
    assertError(
      await put(),
      400,
      "InvalidSubscriptionState",
      "Request is not allowed in subscription in state 'Warned'.",
    );
  });

  test("keeps its creator, and a later change keeps the properties it does not name", async () => {
    const address = await newAddress(frontend);
    const created = { createdBy: "Zoë 安", createdByType: "User", createdAt: "2026-01-02T03:04:05Z" };
    const systemData = (value: object) => ({
      headers: {
        "x-ms-arm-resource-system-data": Buffer.from(JSON.stringify(value)).toString("latin1"),
      },
    });
    await frontend.client.put(address.url, clusterBody(address), systemData(created));
    await succeed(frontend.database, address);
    const patched = await frontend.client.patch(address.url, {}, systemData({ lastModifiedBy: "bob" }));
    assert.deepEqual(patched.json.systemData, { ...created, lastModifiedBy: "bob" });
    await succeed(frontend.database, address);
    const broken = { headers: { "x-ms-arm-resource-system-data": "{" } };
    const again = await frontend.client.patch(address.url, {}, broken);
    assert.deepEqual(again.json.systemData, { ...created, lastModifiedBy: "bob" });
  });

  test("reports all faults together, and a single fault without details", async () => {
    const address = await newAddress(frontend);
    const body = clusterBody(address);
    const { clusterProfile } = body.properties;
    clusterProfile.domain = "BAD!";
    const one = await frontend.client.put(address.url, body);
    assertError(one, 400, "InvalidParameter", "The provided domain 'BAD!' is invalid.");
    assert.equal(one.error.details, undefined);
    clusterProfile.version = "4.1.0";
    body.properties.networkProfile.podCidr = "10.1.0.0/14";
    assertDetails((await frontend.client.put(address.url, body)).error, [
      ["InvalidParameter", "properties.clusterProfile.domain"],
      ["InvalidNetworkAddress", "properties.networkProfile.podCidr"],
      ["InvalidParameter", "properties.clusterProfile.version"],
    ]);
  });

  test("with If-Match is rejected, and with If-None-Match creates the cluster only once", async () => {
    const address = await newAddress(frontend);
    const put = (headers: Record<string, string>) =>
      frontend.client.put(address.url, clusterBody(address), { headers });
    assertError(await put({ "if-match": "*" }), 412, "PreconditionFailed");
    const created = await put({ "if-none-match": "*" });
    assert.equal(created.status, 201);
    assert.ok(created.headers.etag);
    assert.equal(created.headers.etag, (await frontend.client.get(address.url)).headers.etag);
    assertError(await put({ "if-none-match": "*" }), 412, "PreconditionFailed");
  });

  test("is refused for a client ID or resource group in use, without a trace", async () => {
    const clientId = randomUUID();
    const address = await newAddress(frontend);
    await createCluster(frontend, address, clientId);
    const other = clusterAddress(address.subscriptionId, "other");
    const elsewhere = await newAddress(frontend, "elsewhere");
    const body = clusterBody(other);
    const bodyOfFirst = clusterBody(address);
    const sameGroup = {
      ...body,
      properties: { ...body.properties, clusterProfile: bodyOfFirst.properties.clusterProfile },
    };
    const sameBoth = {
      ...clusterBody(other, clientId),
      properties: {
        ...clusterBody(other, clientId).properties,
        clusterProfile: bodyOfFirst.properties.clusterProfile,
      },
    };
    const clientIdText = `The provided service principal with client ID '${clientId}' is already in use by a cluster.`;
    const groupId = `/subscriptions/${address.subscriptionId}/resourcegroups/aro-demo`;
    const attempts = [
      { body: clusterBody(other, clientId), code: "DuplicateClientID", message: clientIdText },
      {
        at: elsewhere,
        body: clusterBody(elsewhere, clientId),
        code: "DuplicateClientID",
        message: clientIdText,
      },
      { body: sameBoth, code: "DuplicateClientID", message: clientIdText },
      {
        // The lookup runs before the conversion of the body, so it does not find property names in a different case.
        at: { url: other.url.replace(current, "2023-11-22") },
        body: { location: "eastus", PROPERTIES: clusterBody(other, clientId).properties },
        code: "DuplicateClientID",
        message: clientIdText,
      },
      {
        body: sameGroup,
        code: "DuplicateResourceGroup",
        message: `The provided resource group '${groupId}' already contains a cluster.`,
      },
    ];
    for (const attempt of attempts) {
      const response = await frontend.client.put((attempt.at ?? other).url, attempt.body);
      assertError(response, 400, attempt.code, attempt.message);
      assert.equal(response.headers["azure-asyncoperation"], undefined);
    }
    assert.equal((await operationsOf(frontend.database, address.subscriptionId)).length, 1);
    assert.equal((await frontend.client.get(other.url)).status, 404);
  });
});

describe("while a cluster is being created", () => {
  test("PUT, PATCH, DELETE and the credentials are refused", async () => {
    const address = await newAddress(frontend);
    await createCluster(frontend, address);
    const { client } = frontend;
    const credentials = address.url.replace("?", "/listCredentials?");
    for (const response of [
      await client.put(address.url, clusterBody(address)),
      await client.patch(address.url, {}),
      await client.delete(address.url),
      await client.post(credentials),
    ]) {
      assertError(
        response,
        400,
        "RequestNotAllowed",
        "Request is not allowed in provisioningState 'Creating'.",
      );
    }
  });
});
