import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { clusterAddress, clusterBody, current } from "../testing/cluster-request.ts";
import { startTestFrontend, type TestFrontend } from "../testing/test-frontend.ts";

let frontend: TestFrontend;
before(async () => {
  frontend = await startTestFrontend();
});
after(() => frontend[Symbol.asyncDispose]());

describe("preflight", () => {
  const address = clusterAddress(randomUUID());
  const group = address.id.slice(0, address.id.indexOf("/openShiftClusters"));
  const url = `${group}/deployments/d1/preflight?api-version=${current}`;
  const resource = (changes: object = {}) => ({
    apiVersion: current,
    name: address.name,
    type: "microsoft.redhatopenshift/OPENSHIFTCLUSTERS",
    dependsOn: [],
    ...clusterBody(address),
    ...changes,
  });
  const check = async (body: object | string) => {
    const response = await frontend.client.post(url, {
      body,
      headers: { "content-type": "application/json" },
    });
    assert.equal(response.status, 200, response.text);
    return response.json;
  };

  test("an acceptable cluster succeeds, and other resources are ignored", async () => {
    const vnet = { apiVersion: "x", type: "Microsoft.Network/virtualNetworks", name: "v" };
    assert.deepEqual(await check({ resources: [vnet, resource()] }), { status: "Succeeded" });
    assert.deepEqual(await check({ resources: [] }), { status: "Succeeded" });
  });

  test("a cluster with a bad field fails with its path", async () => {
    const { properties } = clusterBody(address);
    const bad = {
      properties: { ...properties, clusterProfile: { ...properties.clusterProfile, domain: "BAD!" } },
    };
    const { status, error } = await check({ resources: [resource(bad)] });
    assert.equal(status, "Failed");
    assert.match(`${Object(error).message}`, /^400: InvalidParameter: properties\.clusterProfile\.domain: /);
    assert.deepEqual(
      [Object(error).code, Object(error).target],
      ["InvalidParameter", "properties.clusterProfile.domain"],
    );
  });

  test("a cluster with several faults gets all of them", async () => {
    const { properties } = clusterBody(address);
    const bad = { location: "x", properties: { ...properties, apiserverProfile: { visibility: "x" } } };
    const { error } = await check({ resources: [resource(bad)] });
    const details: unknown = Object(error).details;
    assert.ok(Array.isArray(details));
    assert.deepEqual(
      details.map((each: unknown) => Object(each).target),
      ["location", "properties.apiserverProfile.visibility"],
    );
    assert.equal(Object(error).target, "location");
  });

  test("an existing cluster is judged as an update", async () => {
    await frontend.client.put(`/subscriptions/${address.subscriptionId}`, { state: "Registered" });
    assert.equal((await frontend.client.put(address.url, clusterBody(address))).status, 201);
    const { systemData: _, ...shown } = (await frontend.client.get(address.url)).json;
    const same = { ...shown, apiVersion: current };
    assert.deepEqual(await check({ resources: [same] }), { status: "Succeeded" });
    const { properties } = clusterBody(address);
    const moved = {
      ...same,
      properties: {
        ...properties,
        networkProfile: { ...properties.networkProfile, podCidr: "10.132.0.0/14" },
      },
    };
    const { error } = await check({ resources: [moved] });
    assert.match(`${Object(error).message}`, /^400: PropertyChangeNotAllowed: properties\./);
  });

  test("the response does not depend on clusters outside the subscription of the path", async () => {
    const exists = clusterAddress(randomUUID());
    const missing = clusterAddress(randomUUID());
    await frontend.client.put(`/subscriptions/${exists.subscriptionId}`, { state: "Registered" });
    assert.equal((await frontend.client.put(exists.url, clusterBody(exists))).status, 201);
    const guesses: readonly ((body: ReturnType<typeof clusterBody>) => object)[] = [
      (body) => body,
      ({ properties, ...body }) => ({
        ...body,
        properties: {
          ...properties,
          networkProfile: { ...properties.networkProfile, podCidr: "10.132.0.0/14" },
        },
      }),
      ({ properties, ...body }) => ({ ...body, properties: { ...properties, masterProfile: {} } }),
      ({ location: _, ...body }) => body,
    ];
    for (const guess of guesses) {
      const verdictOn = async (other: typeof exists) => {
        const verdict = await check({
          resources: [resource({ ...guess(clusterBody(other)), id: other.id })],
        });
        return JSON.stringify(verdict).replaceAll(other.subscriptionId, "S");
      };
      assert.equal(await verdictOn(exists), await verdictOn(missing));
      assert.doesNotMatch(await verdictOn(exists), /PropertyChangeNotAllowed/);
    }
  });

  const bodies = [
    { name: "malformed JSON", body: "{", message: /^400: InvalidRequestContent: / },
    { name: "no resources", body: "{}", message: /^400: InvalidRequestContent: / },
    {
      name: "a resource that is no object",
      body: { resources: [1] },
      message: /^400: InvalidRequestContent: /,
    },
    {
      name: "an unknown API version inside",
      body: { resources: [resource({ apiVersion: "1999-01-01" })] },
      message:
        /^400: InvalidResourceType: : The resource type 'openshiftclusters' .* api version '1999-01-01'\.$/,
    },
    {
      name: "no API version inside",
      body: { resources: [resource({ apiVersion: undefined })] },
      message: /^400: InvalidResourceType: /,
    },
    {
      name: "an ID that is none",
      body: { resources: [resource({ id: address.id.slice("/subscriptions/".length) })] },
      message: /^400: ResourceNotFound: id: Cluster not found for resourceID: [^A-Z]+\/demo$/,
    },
    { name: "an ID that is a number", body: { resources: [resource({ id: 5 })] }, message: /^400: / },
  ];
  for (const { name, body, message } of bodies) {
    test(`${name} fails, with 200`, async () => {
      const { status, error } = await check(body);
      assert.equal(status, "Failed");
      assert.match(`${Object(error).message}`, message);
    });
  }

  test("an unknown API version outside is refused", async () => {
    const { status, error } = await frontend.client.post(url.replace(current, "1999-01-01"), { body: {} });
    assert.deepEqual(
      [status, error.code, error.message],
      [
        400,
        "InvalidResourceType",
        'Api version "1999-01-01" is invalid for preflight validation in resource provider "microsoft.redhatopenshift".',
      ],
    );
  });
});
