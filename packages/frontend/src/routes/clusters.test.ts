import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { resourceKey } from "@keelson/arm";
import { create, replace } from "@keelson/database";
import type { ServiceDatabase } from "@keelson/model";
import {
  type ClusterAddress,
  clusterAddress,
  clusterBody,
  current,
  first,
} from "../testing/cluster-request.ts";
import {
  fail,
  finishDeletion,
  operationsOf,
  secrets,
  storedCluster,
  succeed,
} from "../testing/fake-worker.ts";
import type { TestResponse } from "../testing/test-client.ts";
import {
  defaultVersion,
  retryAfterSeconds,
  startTestFrontend,
  type TestFrontend,
} from "../testing/test-frontend.ts";

const signal = new AbortController().signal;
let frontend: TestFrontend;
/** Runs before the next commit of the frontend, once. */
let beforeCommit: (() => Promise<void>) | undefined;

before(async () => {
  frontend = await startTestFrontend({
    through: (database): ServiceDatabase => ({
      ...database,
      async commit(...args) {
        const interference = beforeCommit;
        beforeCommit = undefined;
        await interference?.();
        return database.commit(...args);
      },
    }),
  });
});
after(() => frontend[Symbol.asyncDispose]());

async function setSubscription(subscriptionId: string, state: string): Promise<void> {
  const { status, text } = await frontend.client.put(`/subscriptions/${subscriptionId}`, { state });
  assert.ok(status === 200 || status === 201, text);
}

/** The address of a cluster in a new, registered subscription. */
async function newAddress(name?: string): Promise<ClusterAddress> {
  const address = clusterAddress(randomUUID(), name);
  await setSubscription(address.subscriptionId, "Registered");
  return address;
}

async function createCluster(address: ClusterAddress, clientId = randomUUID()): Promise<TestResponse> {
  const response = await frontend.client.put(address.url, clusterBody(address, clientId));
  assert.equal(response.status, 201, response.text);
  return response;
}

/** A cluster that a worker has finished. */
async function newCluster(name?: string): Promise<ClusterAddress> {
  const address = await newAddress(name);
  await createCluster(address);
  await succeed(frontend.database, address);
  return address;
}

function assertError(
  response: TestResponse,
  status: number,
  code: string,
  message?: string,
  target?: string,
) {
  const { error } = response;
  assert.deepEqual([response.status, error.code], [status, code], response.text);
  if (message !== undefined) assert.equal(error.message, message);
  if (target !== undefined) assert.equal(error.target, target);
}

describe("PUT of a new cluster", () => {
  test("answers 201 with defaults, without secrets, and where to poll", async () => {
    const address = await newAddress("Demo");
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
    await setSubscription(subscriptionId, "Registered");
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
      const address = await newAddress();
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
    await setSubscription(address.subscriptionId, "Warned");
    assertError(
      await put(),
      400,
      "InvalidSubscriptionState",
      "Request is not allowed in subscription in state 'Warned'.",
    );
  });

  test("keeps who created it; a later change keeps the members it does not name", async () => {
    const address = await newAddress();
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

  test("is refused for a client ID or resource group in use, without a trace", async () => {
    const clientId = randomUUID();
    const address = await newAddress();
    await createCluster(address, clientId);
    const other = clusterAddress(address.subscriptionId, "other");
    const elsewhere = await newAddress("elsewhere");
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
    const address = await newAddress();
    await createCluster(address);
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

describe("PUT and PATCH of an existing cluster", () => {
  test("PATCH of nothing is an update; tags are replaced as a whole", async () => {
    const address = await newCluster();
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

  test("PUT of what GET shows, without what is read-only, is an update; secrets may be left out", async () => {
    const address = await newCluster();
    const { systemData: _, ...shown } = (await frontend.client.get(address.url)).json;
    const response = await frontend.client.put(address.url, shown);
    assert.equal(response.status, 200, response.text);
    const { properties } = (await storedCluster(frontend.database, address)).document.openShiftCluster;
    assert.equal(properties.servicePrincipalProfile?.clientSecret.reveal(), "client-secret-of-the-test");
  });

  test("the number of workers cannot be changed", async () => {
    const address = await newCluster();
    const body = { properties: { workerProfiles: [{ name: "worker", count: 5 }] } };
    assertError(
      await frontend.client.patch(address.url, body),
      400,
      "PropertyChangeNotAllowed",
      "Changing property 'properties.workerProfiles['worker'].count' is not allowed.",
      "properties.workerProfiles['worker'].count",
    );
  });

  test("PATCH of a cluster that does not exist is 404", async () => {
    const address = await newAddress("Missing");
    assertError(
      await frontend.client.patch(address.url, clusterBody(address)),
      404,
      "ResourceNotFound",
      "The Resource 'openshiftclusters/missing' under resource group 'group' was not found.",
    );
  });

  test("a failed creation or deletion can only be deleted", async () => {
    const address = await newAddress();
    await createCluster(address);
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

  test("members that nobody knows survive an update, at every depth", async () => {
    const address = await newCluster();
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
  test("of two PATCHes one wins and the other is told that the cluster is updating", async () => {
    for (let round = 0; round < 5; round++) {
      const address = await newCluster();
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
    const address = await newAddress();
    const body = clusterBody(address);
    const responses = await Promise.all([
      frontend.client.put(address.url, body),
      frontend.connect().put(address.url, body),
    ]);
    assert.deepEqual(responses.map((each) => each.status).sort(), [201, 400]);
    assert.equal((await operationsOf(frontend.database, address.subscriptionId)).length, 1);
  });

  test("a write between the read and the commit is met by another attempt, which sees it", async () => {
    const address = await newCluster();
    beforeCommit = async () => {
      const stored = await storedCluster(frontend.database, address);
      const document = { ...stored.document, futureMember: "written in between" };
      const { clusters } = frontend.database.collections;
      await frontend.database.commit(address.subscriptionId, [replace(clusters, stored, document)], {
        signal,
      });
    };
    const response = await frontend.client.patch(address.url, { tags: {} });
    assert.equal(response.status, 200, response.text);
    const { document } = await storedCluster(frontend.database, address);
    assert.equal(Reflect.get(document, "futureMember"), "written in between");
    assert.equal((await operationsOf(frontend.database, address.subscriptionId)).length, 2);
  });

  test("a cluster that is created between the read and the commit is found by another attempt", async () => {
    const address = await newAddress();
    const body = clusterBody(address);
    beforeCommit = async () => {
      assert.equal((await frontend.connect().put(address.url, body)).status, 201);
    };
    const late = await frontend.client.put(address.url, body);
    assertError(late, 400, "RequestNotAllowed", "Request is not allowed in provisioningState 'Creating'.");
  });
});

describe("GET", () => {
  test("finds a cluster in any case and shows its ID in the case of its creation", async () => {
    const address = await newCluster("MixedCase");
    const upper = `${address.id.toUpperCase()}/?api-version=${current}`;
    const doubled = address.url.replace("/providers/", "//providers//");
    const encoded = address.url.replace("?api-version", "?api%2Dversion");
    for (const url of [address.url, upper, doubled, encoded]) {
      const response = await frontend.client.get(url);
      assert.equal(response.status, 200, `${url}: ${response.text}`);
      assert.equal(response.json.id, address.id);
    }
  });

  test("is indented by four spaces and ends with a newline", async () => {
    const address = await newCluster();
    const { text, json } = await frontend.client.get(address.url);
    assert.equal(text, `${JSON.stringify(json, null, 4)}\n`);
  });

  test("shows no secret in any version, alone or in lists", async () => {
    const address = await newCluster();
    for (const version of [current, first]) {
      const group = address.id.slice(0, address.id.lastIndexOf("/"));
      for (const path of [address.id, group]) {
        const { status, text } = await frontend.client.get(`${path}?api-version=${version}`);
        assert.equal(status, 200, text);
        for (const secret of ["client-secret-of-the-test", ...Object.values(secrets)]) {
          assert.ok(!text.includes(secret));
          assert.ok(!text.includes(Buffer.from(secret).toString("base64")));
        }
        assert.doesNotMatch(text, /pullSecret|clientSecret|igningKey|ubeconfig|REDACTED/);
      }
    }
  });

  test("of a cluster that does not exist is 404", async () => {
    assertError(
      await frontend.client.get(clusterAddress(randomUUID(), "NoSuch").url),
      404,
      "ResourceNotFound",
      "The Resource 'openshiftclusters/nosuch' under resource group 'group' was not found.",
    );
  });
});

describe("LIST", () => {
  /** Copies of one cluster, straight into the database. */
  async function manyClusters(count: number): Promise<ClusterAddress> {
    const address = await newCluster("c00");
    const { document } = await storedCluster(frontend.database, address);
    const { clusters } = frontend.database.collections;
    for (let index = 1; index < count; index++) {
      const copy = clusterAddress(address.subscriptionId, `c${`${index}`.padStart(2, "0")}`);
      const { id, name } = copy;
      const write = create(clusters, {
        ...document,
        id: randomUUID(),
        key: resourceKey(id),
        clusterResourceGroupIdKey: randomUUID(),
        clientIdKey: randomUUID(),
        openShiftCluster: { ...document.openShiftCluster, id, name },
      });
      const { kind } = await frontend.database.commit(address.subscriptionId, [write], { signal });
      assert.equal(kind, "committed");
    }
    return address;
  }

  const names = ({ json }: TestResponse) =>
    Array.isArray(json.value) ? json.value.map((each: unknown) => Object(each).name) : [];

  test("pages of ten follow one another, on the host of the referer", async () => {
    const address = await manyClusters(11);
    const group = address.id.slice(0, address.id.lastIndexOf("/"));
    const subscription = group.replace(/\/resourceGroups\/[^/]+/, "");
    for (const path of [group, subscription]) {
      const referer = `https://arm.example${path}?api-version=${current}`;
      const one = await frontend.client.get(`${path}?api-version=${current}`, { headers: { referer } });
      assert.equal(one.status, 200, one.text);
      assert.equal(names(one).length, 10);
      const next = new URL(`${one.json.nextLink}`);
      assert.equal(next.origin, "https://arm.example");
      assert.match(next.search, /%24skipToken=/);
      assert.equal(next.searchParams.get("api-version"), current);
      const two = await frontend.client.get(next.pathname + next.search);
      assert.deepEqual(names(two), ["c10"]);
      assert.equal(two.json.nextLink, undefined);
    }
  });

  test("a token that is tampered with, or of another list, is refused", async () => {
    const address = await manyClusters(11);
    const group = address.id.slice(0, address.id.lastIndexOf("/"));
    const page = await frontend.client.get(`${group}?api-version=${current}`);
    const token = `${new URL(`${page.json.nextLink}`).searchParams.get("$skipToken")}`;
    const flipped = `${token.startsWith("A") ? "B" : "A"}${token.slice(1)}`;
    const elsewhere = group.replace("/Group/", "/other/");
    for (const url of [
      `${group}?api-version=${current}&$skipToken=${flipped}`,
      `${group}?api-version=${current}&%24skipToken=x`,
      `${elsewhere}?api-version=${current}&$skipToken=${token}`,
    ]) {
      const response = await frontend.client.get(url);
      assertError(response, 400, "InvalidParameter");
      assert.match(`${response.error.message}`, /\$skipToken/);
    }
  });

  test("exactly ten are one page; none are an empty list", async () => {
    const address = await manyClusters(10);
    const group = address.id.slice(0, address.id.lastIndexOf("/"));
    const full = await frontend.client.get(`${group}?api-version=${current}`);
    assert.equal(names(full).length, 10);
    assert.equal(full.json.nextLink, undefined);
    const none = await frontend.client.get(`${group.replace("/Group/", "/other/")}?api-version=${current}`);
    assert.deepEqual(none.json, { value: [] });
  });

  test("a group shows its own clusters only, not those of a group whose name begins alike", async () => {
    const address = await newCluster();
    const { client } = frontend;
    const other = clusterAddress(address.subscriptionId, "other", "Group2");
    await createCluster(other);
    const list = await client.get(
      `${address.id.slice(0, address.id.lastIndexOf("/"))}?api-version=${current}`,
    );
    assert.deepEqual(names(list), ["demo"]);
  });
});

describe("DELETE", () => {
  test("answers 202 with both polling URLs and no body, then 204 when the cluster is gone", async () => {
    const address = await newCluster();
    const response = await frontend.client.delete(address.url);
    assert.deepEqual([response.status, response.text], [202, ""]);
    assert.match(
      `${response.headers["azure-asyncoperation"]}`,
      /\/operationsstatus\/[0-9a-f-]{36}\?api-version=/,
    );
    assert.match(`${response.headers.location}`, /\/operationresults\/[0-9a-f-]{36}\?api-version=/);
    assert.equal(response.headers["retry-after"], `${retryAfterSeconds}`);
    const { openShiftCluster } = (await storedCluster(frontend.database, address)).document;
    assert.equal(openShiftCluster.properties.provisioningState, "Deleting");
    assert.equal(openShiftCluster.properties.lastProvisioningState, "Succeeded");
    assertError(
      await frontend.client.delete(address.url),
      400,
      "RequestNotAllowed",
      "Request is not allowed in provisioningState 'Deleting'.",
    );
    await finishDeletion(frontend.database, address);
    assert.equal((await frontend.client.delete(address.url)).status, 204);
    assert.equal((await frontend.client.get(address.url)).status, 404);
  });

  test("of an unknown cluster is 204 in any subscription", async () => {
    const response = await frontend.client.delete(clusterAddress(randomUUID()).url);
    assert.deepEqual([response.status, response.text], [204, ""]);
  });

  test("is allowed in a warned subscription, and not in one that is only unregistered", async () => {
    const address = await newCluster();
    await setSubscription(address.subscriptionId, "Unregistered");
    assertError(await frontend.client.delete(address.url), 400, "InvalidSubscriptionState");
    await setSubscription(address.subscriptionId, "Warned");
    assertError(await frontend.client.put(address.url, {}), 400, "InvalidSubscriptionState");
    assert.equal((await frontend.client.delete(address.url)).status, 202);
  });

  test("a cluster that vanishes between the read and the commit is deleted", async () => {
    const address = await newCluster();
    beforeCommit = async () => {
      assert.equal((await frontend.connect().delete(address.url)).status, 202);
      await finishDeletion(frontend.database, address);
    };
    assert.equal((await frontend.client.delete(address.url)).status, 204);
  });
});

describe("credentials", () => {
  const action = (address: ClusterAddress, name: string, version = current) =>
    `${address.id}/${name}?api-version=${version}`;

  test("listCredentials gives the administrator's name and password", async () => {
    const address = await newCluster();
    const { client } = frontend;
    const expected = { kubeadminUsername: "kubeadmin", kubeadminPassword: secrets.kubeadminPassword };
    assert.deepEqual((await client.post(action(address, "listCredentials"))).json, expected);
    assert.deepEqual(
      (await client.post(action(address, "listCredentials", first), { body: {} })).json,
      expected,
    );
    assert.deepEqual((await client.post(action(address, "credentials", first), { body: {} })).json, expected);
  });

  test("listAdminCredentials gives the customer's kubeconfig in base64", async () => {
    const address = await newCluster();
    const { status, json } = await frontend.client.post(action(address, "listAdminCredentials"));
    assert.equal(status, 200);
    assert.equal(Buffer.from(`${json.kubeconfig}`, "base64").toString(), secrets.userAdminKubeconfig);
  });

  const refused = [
    { name: "listAdminCredentials", version: "2020-04-30" },
    { name: "listAdminCredentials", version: first },
    { name: "credentials", version: current },
  ];
  for (const { name, version } of refused) {
    test(`${name} does not exist in ${version}`, async () => {
      const response = await frontend.client.post(action(clusterAddress(randomUUID()), name, version));
      assertError(
        response,
        400,
        "InvalidResourceType",
        `The resource type 'openshiftclusters' could not be found in the namespace 'microsoft.redhatopenshift' for api version '${version}'.`,
      );
    });
  }

  test("a body that is not JSON is refused; an unknown cluster is 404", async () => {
    const address = await newAddress();
    const url = action(address, "listCredentials");
    const { client } = frontend;
    const headers = { "content-type": "application/json" };
    assertError(await client.post(url, { body: "{", headers }), 400, "InvalidRequestContent");
    assertError(await client.post(url), 404, "ResourceNotFound");
  });

  test("they are there while a cluster is updated", async () => {
    const address = await newCluster();
    await frontend.client.patch(address.url, {});
    assert.equal((await frontend.client.post(action(address, "listCredentials"))).status, 200);
  });
});
