import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { resourceKey } from "@keelson/arm";
import { create } from "@keelson/database";
import { type ClusterAddress, clusterAddress, current, first } from "../testing/cluster-request.ts";
import {
  assertError,
  createCluster,
  interferingCommits,
  newAddress,
  newCluster,
  setSubscription,
} from "../testing/clusters.ts";
import { finishDeletion, secrets, storedCluster } from "../testing/fake-worker.ts";
import type { TestResponse } from "../testing/test-client.ts";
import { retryAfterSeconds, startTestFrontend, type TestFrontend } from "../testing/test-frontend.ts";

const signal = new AbortController().signal;
const interference = interferingCommits();
let frontend: TestFrontend;
before(async () => {
  frontend = await startTestFrontend(interference);
});
after(() => frontend[Symbol.asyncDispose]());

describe("GET", () => {
  test("finds a cluster in any case and shows its ID in the case of its creation", async () => {
    const address = await newCluster(frontend, "MixedCase");
    const upper = `${address.id.toUpperCase()}/?api-version=${current}`;
    const doubled = address.url.replace("/providers/", "//providers//");
    const encoded = address.url.replace("?api-version", "?api%2Dversion");
    for (const url of [address.url, upper, doubled, encoded]) {
      const response = await frontend.client.get(url);
      assert.equal(response.status, 200, `${url}: ${response.text}`);
      assert.equal(response.json.id, address.id);
    }
  });

  test("returns the URL of the running operation, but not of a completed one", async () => {
    const address = await newAddress(frontend, "Followed");
    const { headers } = await createCluster(frontend, address);
    const { client } = frontend;
    const following = async () => (await client.get(address.url)).headers["azure-asyncoperation"];
    assert.ok(headers["azure-asyncoperation"]);
    assert.equal(await following(), headers["azure-asyncoperation"]);
    const ended = await newCluster(frontend, "Ended");
    assert.equal((await client.get(ended.url)).headers["azure-asyncoperation"], undefined);
  });

  test("is indented by four spaces and ends with a newline", async () => {
    const address = await newCluster(frontend);
    const { text, json } = await frontend.client.get(address.url);
    assert.equal(text, `${JSON.stringify(json, null, 4)}\n`);
  });

  test("shows no secret in any version, alone or in lists", async () => {
    const address = await newCluster(frontend);
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
  /** Stores copies of one cluster directly in the database. */
  async function manyClusters(count: number): Promise<ClusterAddress> {
    const address = await newCluster(frontend, "c00");
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

  test("pages of ten are linked on the host of the referer", async () => {
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

  test("a modified token, or a token of a different list, is rejected", async () => {
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

  test("ten clusters are one page, and zero clusters are an empty list", async () => {
    const address = await manyClusters(10);
    const group = address.id.slice(0, address.id.lastIndexOf("/"));
    const full = await frontend.client.get(`${group}?api-version=${current}`);
    assert.equal(names(full).length, 10);
    assert.equal(full.json.nextLink, undefined);
    const none = await frontend.client.get(`${group.replace("/Group/", "/other/")}?api-version=${current}`);
    assert.deepEqual(none.json, { value: [] });
  });

  test("a group shows only its own clusters, not clusters of a group with the same prefix", async () => {
    const address = await newCluster(frontend);
    const { client } = frontend;
    const other = clusterAddress(address.subscriptionId, "other", "Group2");
    await createCluster(frontend, other);
    const list = await client.get(
      `${address.id.slice(0, address.id.lastIndexOf("/"))}?api-version=${current}`,
    );
    assert.deepEqual(names(list), ["demo"]);
  });
});

describe("DELETE", () => {
  test("returns 202 with both polling URLs and no body, then 204 after the deletion", async () => {
    const address = await newCluster(frontend);
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
    const address = await newCluster(frontend);
    await setSubscription(frontend, address.subscriptionId, "Unregistered");
    assertError(await frontend.client.delete(address.url), 400, "InvalidSubscriptionState");
    await setSubscription(frontend, address.subscriptionId, "Warned");
    assertError(await frontend.client.put(address.url, {}), 400, "InvalidSubscriptionState");
    assert.equal((await frontend.client.delete(address.url)).status, 202);
  });

  test("a cluster that vanishes between the read and the commit is deleted", async () => {
    const address = await newCluster(frontend);
    interference.beforeNextCommit(async () => {
      assert.equal((await frontend.connect().delete(address.url)).status, 202);
      await finishDeletion(frontend.database, address);
    });
    assert.equal((await frontend.client.delete(address.url)).status, 204);
  });
});

describe("credentials", () => {
  const action = (address: ClusterAddress, name: string, version = current) =>
    `${address.id}/${name}?api-version=${version}`;

  test("listCredentials returns the administrator's name and password", async () => {
    const address = await newCluster(frontend);
    const { client } = frontend;
    const expected = { kubeadminUsername: "kubeadmin", kubeadminPassword: secrets.kubeadminPassword };
    assert.deepEqual((await client.post(action(address, "listCredentials"))).json, expected);
    assert.deepEqual(
      (await client.post(action(address, "listCredentials", first), { body: {} })).json,
      expected,
    );
    assert.deepEqual((await client.post(action(address, "credentials", first), { body: {} })).json, expected);
  });

  test("listAdminCredentials returns the customer's kubeconfig in base64", async () => {
    const address = await newCluster(frontend);
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
    const address = await newAddress(frontend);
    const url = action(address, "listCredentials");
    const { client } = frontend;
    const headers = { "content-type": "application/json" };
    assertError(await client.post(url, { body: "{", headers }), 400, "InvalidRequestContent");
    assertError(await client.post(url), 404, "ResourceNotFound");
  });

  test("they are there while a cluster is updated", async () => {
    const address = await newCluster(frontend);
    await frontend.client.patch(address.url, {});
    assert.equal((await frontend.client.post(action(address, "listCredentials"))).status, 200);
  });
});
