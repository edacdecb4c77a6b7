import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { type ClusterAddress, clusterAddress, clusterBody, current } from "../testing/cluster-request.ts";
import {
  endOperationOnly,
  fail,
  finishDeletion,
  reportProgress,
  storedCluster,
  succeed,
} from "../testing/fake-worker.ts";
import type { TestResponse } from "../testing/test-client.ts";
import { retryAfterSeconds, startTestFrontend, type TestFrontend } from "../testing/test-frontend.ts";

let frontend: TestFrontend;
before(async () => {
  frontend = await startTestFrontend();
});
after(() => frontend[Symbol.asyncDispose]());

/** Creates a cluster with a running creation. Returns its address and the polling URLs of the operation. */
async function creating(): Promise<{ address: ClusterAddress; polling: Polling }> {
  const address = clusterAddress(randomUUID());
  await frontend.client.put(`/subscriptions/${address.subscriptionId}`, { state: "Registered" });
  const response = await frontend.client.put(address.url, clusterBody(address));
  assert.equal(response.status, 201, response.text);
  return { address, polling: pollingOf(response) };
}

interface Polling {
  readonly status: () => Promise<TestResponse>;
  readonly progress: () => Promise<TestResponse>;
  readonly result: () => Promise<TestResponse>;
  readonly path: string;
}

function pollingOf(response: TestResponse): Polling {
  const { pathname, search } = new URL(`${response.headers["azure-asyncoperation"]}`);
  const path = pathname + search;
  const { client } = frontend;
  return {
    path,
    status: () => client.get(path),
    progress: () => client.get(path, { headers: { prefer: "respond-async, Keelson-Progress" } }),
    result: () => client.get(path.replace("operationsstatus", "operationresults")),
  };
}

describe("an operation that runs", () => {
  test("shows its state and progress, and the time until the next poll", async () => {
    const { address, polling } = await creating();
    const { document } = await storedCluster(frontend.database, address);
    const begun = await polling.status();
    const { startTime } = begun.json;
    const [path] = polling.path.split("?");
    assert.deepEqual(begun.json, {
      id: path,
      name: document.asyncOperationId,
      status: "Creating",
      startTime,
    });
    assert.ok(!Number.isNaN(Date.parse(`${startTime}`)));
    assert.equal(begun.headers["retry-after"], `${retryAfterSeconds}`);
    await reportProgress(frontend.database, address);
    assert.deepEqual((await polling.status()).json, begun.json);
    const { headers, json } = await polling.progress();
    assert.equal(headers["preference-applied"], "keelson-progress");
    assert.equal(json.percentComplete, 25);
    assert.deepEqual(json.properties, { step: "createMachines", completedSteps: 5, totalSteps: 20 });
  });

  test("has no result yet: 202 with the polling URL", async () => {
    const { polling } = await creating();
    const response = await polling.result();
    assert.deepEqual([response.status, response.text], [202, ""]);
    const location = new URL(`${response.headers.location}`);
    assert.equal(
      location.pathname + location.search,
      polling.path.replace("operationsstatus", "operationresults"),
    );
    assert.equal(response.headers["retry-after"], `${retryAfterSeconds}`);
  });

  test("still runs for callers while the cluster shows no result", async () => {
    const { address, polling } = await creating();
    await endOperationOnly(frontend.database, address);
    const { json } = await polling.status();
    assert.deepEqual([json.status, json.endTime, json.error], ["Creating", undefined, undefined]);
    assert.equal((await polling.result()).status, 202);
  });
});

describe("an operation that ended", () => {
  test("well shows Succeeded and the cluster", async () => {
    const { address, polling } = await creating();
    await succeed(frontend.database, address);
    const status = await polling.status();
    assert.equal(status.json.status, "Succeeded");
    assert.deepEqual(Object.keys(status.json), ["id", "name", "status", "startTime", "endTime"]);
    assert.ok(!Number.isNaN(Date.parse(`${status.json.endTime}`)));
    assert.equal(status.headers["retry-after"], undefined);
    const result = await polling.result();
    assert.deepEqual(result.json, (await frontend.client.get(address.url)).json);
    assert.equal(result.status, 200);
  });

  test("keeps its result when the next one runs", async () => {
    const { address, polling } = await creating();
    await succeed(frontend.database, address);
    const update = pollingOf(await frontend.client.patch(address.url, { tags: {} }));
    assert.equal((await polling.status()).json.status, "Succeeded");
    assert.equal((await update.status()).json.status, "Updating");
  });

  test("badly shows Failed with the error, and the failed cluster", async () => {
    const { address, polling } = await creating();
    const error = {
      code: "InvalidLinkedVNet",
      message: "The vnet is gone.",
      target: "properties.masterProfile.subnetId",
      details: [{ code: "Inner", message: "why" }],
    };
    await fail(frontend.database, address, error);
    const status = await polling.status();
    assert.deepEqual([status.status, status.json.status, status.json.error], [200, "Failed", error]);
    const result = await polling.result();
    assert.equal(result.status, 200);
    assert.match(result.text, /"provisioningState": "Failed"/);
  });
});

describe("a deletion", () => {
  async function deleting() {
    const { address } = await creating();
    await succeed(frontend.database, address);
    const response = await frontend.client.delete(address.url);
    assert.equal(response.status, 202, response.text);
    return { address, polling: pollingOf(response) };
  }

  test("that ended well shows Succeeded, and 204 as its result", async () => {
    const { address, polling } = await deleting();
    assert.equal((await polling.status()).json.status, "Deleting");
    assert.equal((await polling.result()).status, 202);
    await finishDeletion(frontend.database, address);
    assert.equal((await polling.status()).json.status, "Succeeded");
    const result = await polling.result();
    assert.deepEqual([result.status, result.text], [204, ""]);
  });

  const failures = [
    { error: { code: "ScopeLocked", message: "The scope is locked." }, status: 409 },
    { error: { code: "InternalServerError", message: "Internal server error." }, status: 500 },
    { error: { code: "SomethingNew", message: "Nobody knows." }, status: 500 },
  ];
  for (const { error, status } of failures) {
    test(`that failed with ${error.code} returns ${status} as its result, not success`, async () => {
      const { address, polling } = await deleting();
      await fail(frontend.database, address, error);
      assert.equal((await polling.status()).json.status, "Failed");
      const result = await polling.result();
      assert.deepEqual([result.status, result.json], [status, { error }]);
    });
  }
});

describe("an unknown operation", () => {
  const notFound = { error: { code: "NotFound", message: "The entity was not found." } };

  test("is 404, also if it belongs to a different subscription", async () => {
    const { address, polling } = await creating();
    const other = polling.path.replace(address.subscriptionId, randomUUID());
    const unknown = polling.path.replace(/[0-9a-f-]{36}\?/, `${randomUUID()}?`);
    for (const path of [other, unknown]) {
      for (const url of [path, path.replace("operationsstatus", "operationresults")]) {
        const response = await frontend.client.get(url);
        assert.deepEqual([response.status, response.json], [404, notFound]);
      }
    }
  });
});

describe("the history of a cluster", () => {
  const history = (address: ClusterAddress, query = "") =>
    frontend.client.get(`/admin${address.id}/operations${query}`);
  const statuses = ({ json }: TestResponse) =>
    Array.isArray(json.value) ? json.value.map((each: unknown) => Object(each).status) : [];

  test("has all its operations, newest first, each like its status", async () => {
    const { address, polling } = await creating();
    await succeed(frontend.database, address);
    const failing = pollingOf(await frontend.client.patch(address.url, { tags: {} }));
    await fail(frontend.database, address, { code: "DeploymentFailed", message: "Deployment failed." });
    const deleting = pollingOf(await frontend.client.delete(address.url));
    const { json } = await history(address);
    const shown = await Promise.all([deleting, failing, polling].map((each) => each.progress()));
    assert.deepEqual(
      json.value,
      shown.map((each) => each.json),
    );
    assert.equal(json.nextLink, undefined);
    await finishDeletion(frontend.database, address);
    assert.deepEqual(statuses(await history(address)), ["Succeeded", "Failed", "Succeeded"]);
  });

  test("is returned in pages of ten, and shows no result before the cluster does", async () => {
    const { address } = await creating();
    await succeed(frontend.database, address);
    for (let update = 1; update <= 10; update++) {
      assert.equal((await frontend.client.patch(address.url, {})).status, 200);
      if (update < 10) await succeed(frontend.database, address);
    }
    await endOperationOnly(frontend.database, address);
    const first = await history(address);
    assert.deepEqual(statuses(first), ["Updating", ...Array.from({ length: 9 }, () => "Succeeded")]);
    const second = await history(address, new URL(`${first.json.nextLink}`).search);
    assert.deepEqual(statuses(second), ["Succeeded"]);
    const starts = [first, second].flatMap(({ json }) =>
      Array.isArray(json.value) ? json.value.map((each: unknown) => `${Object(each).startTime}`) : [],
    );
    assert.deepEqual(starts, [...starts].sort().reverse());
  });

  test("of a cluster that never existed is 404", async () => {
    const response = await history(clusterAddress(randomUUID()));
    assert.deepEqual([response.status, response.error.code], [404, "ResourceNotFound"]);
  });
});

test("the operations of the provider are the same eleven for any API version", async () => {
  const path = "/providers/Microsoft.RedHatOpenShift/operations";
  const named = await frontend.client.get(`${path}?api-version=${current}`);
  const nonsense = await frontend.client.get(`${path}?api-version=nonsense`);
  const none = await frontend.client.get(path);
  assert.equal(nonsense.status, 200);
  assert.deepEqual([nonsense.json, none.json], [named.json, named.json]);
  const value: { name: string; origin: string }[] = Array.isArray(named.json.value) ? named.json.value : [];
  assert.ok(value.every((each) => each.origin === "user,system"));
  assert.deepEqual(value.map((each) => each.name.replace("Microsoft.RedHatOpenShift/", "")).sort(), [
    "locations/listPlatformWorkloadIdentityRoleSets/read",
    "locations/openshiftVersions/read",
    "locations/operationresults/read",
    "locations/operationsstatus/read",
    "openShiftClusters/delete",
    "openShiftClusters/detectors/read",
    "openShiftClusters/listAdminCredentials/action",
    "openShiftClusters/listCredentials/action",
    "openShiftClusters/read",
    "openShiftClusters/write",
    "operations/read",
  ]);
});
