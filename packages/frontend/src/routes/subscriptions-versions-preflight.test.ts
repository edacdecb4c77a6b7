import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { clusterAddress, clusterBody, current, first } from "../testing/cluster-request.ts";
import { addVersion } from "../testing/fake-worker.ts";
import { defaultVersion, startTestFrontend, type TestFrontend } from "../testing/test-frontend.ts";

const signal = new AbortController().signal;
let frontend: TestFrontend;
before(async () => {
  frontend = await startTestFrontend();
});
after(() => frontend[Symbol.asyncDispose]());

describe("PUT of a subscription", () => {
  const url = (subscriptionId: string) => `/subscriptions/${subscriptionId}?api-version=2.0`;

  test("answers 201, then 200, and echoes the body with unknown members but without the owner's e-mail", async () => {
    const id = randomUUID();
    const properties = {
      tenantId: randomUUID(),
      future: { a: [1] },
      accountOwner: { email: "x@y.z", kind: "k" },
    };
    const body = { state: "Registered", registrationDate: "today", properties };
    const created = await frontend.client.put(url(id), body);
    assert.equal(created.status, 201);
    const stored = { ...body, properties: { ...properties, accountOwner: { kind: "k" } } };
    assert.deepEqual(created.json, stored);
    const again = await frontend.client.put(url(id), body);
    assert.deepEqual([again.status, again.json], [200, stored]);
    const document = await frontend.database.collections.subscriptions.find(id, id, signal);
    assert.deepEqual(document?.document.subscription, stored);
    assert.equal(document?.document.deleting, false);
  });

  const bodies = [
    { name: "an unknown state", body: { state: "Bogus" }, code: "InvalidParameter", target: "state" },
    { name: "no state", body: {}, code: "InvalidParameter", target: "state" },
    { name: "no object", body: "[]", code: "InvalidRequestContent", target: undefined },
    { name: "no body", body: "", code: "InvalidRequestContent", target: undefined },
  ];
  for (const { name, body, code, target } of bodies) {
    test(`refuses ${name}`, async () => {
      const { status, error } = await frontend.client.put(url(randomUUID()), body);
      assert.deepEqual([status, error.code, error.target], [400, code, target]);
    });
  }

  test("a deleted subscription stays deleted, and its clusters are to go", async () => {
    const id = randomUUID();
    await frontend.client.put(url(id), { state: "Registered" });
    assert.equal((await frontend.client.put(url(id), { state: "Deleted" })).status, 200);
    const document = await frontend.database.collections.subscriptions.find(id, id, signal);
    assert.equal(document?.document.deleting, true);
    const back = await frontend.client.put(url(id), { state: "Registered" });
    assert.deepEqual(
      [back.status, back.error.code, back.error.message],
      [400, "InvalidSubscriptionState", "Request is not allowed in subscription in state 'Deleted'."],
    );
  });

  test("concurrent announcements are all accepted", async () => {
    const id = randomUUID();
    const states = ["Registered", "Warned", "Suspended", "Unregistered"];
    const responses = await Promise.all(states.map((state) => frontend.client.put(url(id), { state })));
    assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 200, 200, 201]);
  });
});

describe("OpenShift versions", () => {
  const base = (version: string) =>
    `/subscriptions/${randomUUID()}/providers/Microsoft.RedHatOpenShift/locations/EastUS/openShiftVersions${version}`;

  /** What the list shows once it shows `version`: it follows the database's change feed. */
  async function listWith(version: string): Promise<unknown> {
    const limit = Date.now() + 10_000;
    for (;;) {
      const { json, text } = await frontend.client.get(`${base("")}?api-version=${current}`);
      if (text.includes(`"${version}"`)) return json.value;
      assert.ok(Date.now() < limit, `no ${version} in ${text}`);
      await delay(10);
    }
  }

  test("are listed in ascending order without those that are disabled, and new ones appear", async () => {
    await addVersion(frontend.database, "4.9.1");
    await addVersion(frontend.database, "4.18.3", { enabled: false });
    await addVersion(frontend.database, "4.20.0");
    const shown = (version: string) => ({
      name: version,
      type: "Microsoft.RedHatOpenShift/OpenShiftVersion",
      properties: { version },
    });
    assert.deepEqual(await listWith("4.20.0"), ["4.9.1", defaultVersion, "4.20.0"].map(shown));
    const one = await frontend.client.get(`${base(`/${defaultVersion}`)}?api-version=${current}`);
    assert.deepEqual([one.status, one.json], [200, shown(defaultVersion)]);
  });

  test("that do not exist or are disabled are 400 ResourceNotFound", async () => {
    const { status, error } = await frontend.client.get(`${base("/4.0.0")}?api-version=${current}`);
    assert.deepEqual(
      [status, error.code, error.message],
      [
        400,
        "ResourceNotFound",
        `The Resource openShiftVersion with version '4.0.0' was not found in the namespace 'microsoft.redhatopenshift' for api version '${current}'.`,
      ],
    );
  });

  test("are not known to API versions before 2022-09-04", async () => {
    const { status, error } = await frontend.client.get(`${base("")}?api-version=${first}`);
    assert.deepEqual(
      [status, error.code, error.message],
      [
        400,
        "InvalidResourceType",
        `The endpoint could not be found in the namespace 'microsoft.redhatopenshift' for api version '${first}'.`,
      ],
    );
  });

  test("a request for one that is not enabled creates nothing", async () => {
    const address = clusterAddress(randomUUID());
    await frontend.client.put(`/subscriptions/${address.subscriptionId}`, { state: "Registered" });
    const body = clusterBody(address);
    const { clusterProfile } = body.properties;
    const wanted = {
      ...body,
      properties: { ...body.properties, clusterProfile: { ...clusterProfile, version: "4.17.77" } },
    };
    const { status, error } = await frontend.client.put(address.url, wanted);
    assert.deepEqual([status, error.target], [400, "properties.clusterProfile.version"]);
    assert.equal((await frontend.client.get(address.url)).status, 404);
  });
});

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

  test("a cluster that would be accepted succeeds, and others are not looked at", async () => {
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
