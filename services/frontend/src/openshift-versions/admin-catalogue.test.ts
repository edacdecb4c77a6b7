import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { silentLogger, systemClock } from "@keelson/base";
import { create, remove, replace } from "@keelson/database";
import { publishVersions, versionsPartition } from "@keelson/model";
import { Catalogue } from "../service/catalogue.ts";
import { type FrontendWithCallers, startFrontendWithCallers } from "../testing/callers.ts";
import { current } from "../testing/cluster-request.ts";
import { assertError } from "../testing/clusters.ts";
import { defaultVersion } from "../testing/test-frontend.ts";

let frontend: FrontendWithCallers;
before(async () => {
  frontend = await startFrontendWithCallers();
});
after(() => frontend[Symbol.asyncDispose]());

const signal = new AbortController().signal;
const versions = "/admin/versions";
const roleSets = "/admin/platformWorkloadIdentityRoleSets";
const location = `/subscriptions/${randomUUID()}/providers/Microsoft.RedHatOpenShift/locations/eastus`;

/**
 * Polls as a customer until `accept` returns true for the response, and returns this response. Polling is necessary, because the
 * frontend follows the change feed with a delay.
 */
async function customerSees(path: string, accept: (text: string) => boolean): Promise<unknown> {
  const limit = Date.now() + 60_000;
  for (;;) {
    const { json, text } = await frontend.client.get(`${location}/${path}?api-version=${current}`);
    if (accept(text)) return json;
    assert.ok(Date.now() < limit, text);
    await delay(10);
  }
}

describe("OpenShift versions", () => {
  const image = { publisher: "azureopenshift", offer: "aro4", sku: "aro_419", version: "419.6.20250523" };
  const machineImages = { hyperVGen1: image, hyperVGen2: { ...image, sku: "419-v2" } };
  const registryImages = { openShiftPullspec: "registry/release", installerPullspec: "registry/installer" };
  const pullspecs = { ...registryImages, machineImages };
  const put = (properties: object) => frontend.admin.put(versions, { properties });
  async function listed(): Promise<string[]> {
    const { value } = JSON.parse((await frontend.admin.get(versions)).text);
    return value.map(
      ({ properties }: { properties: { version: string; enabled: boolean; default: boolean } }) =>
        `${properties.version}${properties.enabled ? "" : " disabled"}${properties.default ? " default" : ""}`,
    );
  }

  test("have one default after concurrent requests set the first one", async () => {
    const { versions: collection } = frontend.database.collections;
    const query = { partitionKey: versionsPartition, limit: 100 };
    const withoutDefaults = async () => {
      const { items } = await collection.list(query, signal);
      await frontend.database.commit(
        versionsPartition,
        items.map((item) => {
          const { openShiftVersion } = item.document;
          const properties = { ...openShiftVersion.properties, default: false };
          return replace(collection, item, { ...item.document, openShiftVersion: { properties } });
        }),
        { signal },
      );
    };
    const names = ["4.8.1", "4.8.2", "4.8.3", "4.8.4"];
    for (const round of [1, 2]) {
      await withoutDefaults();
      const responses = await Promise.all(
        names.map((version) => put({ version, ...pullspecs, enabled: true, default: true })),
      );
      const expected = names.map(() => (round === 1 ? 201 : 200));
      assert.deepEqual(
        responses.map(({ status }) => status),
        expected,
      );
      const { items } = await collection.list(query, signal);
      const defaults = items.filter((item) => item.document.openShiftVersion.properties.default);
      assert.equal(defaults.length, 1);
    }
    const { items } = await collection.list(query, signal);
    const added = items.filter((item) => names.includes(item.document.openShiftVersion.properties.version));
    await put({ version: defaultVersion, ...pullspecs, enabled: true, default: true });
    const now = await Promise.all(
      added.map(({ document }) => collection.find(versionsPartition, document.id, signal)),
    );
    await frontend.database.commit(
      versionsPartition,
      now.flatMap((item) => (item ? [remove(collection, item)] : [])),
      { signal },
    );
  });

  test("are added, enabled for customers, disabled again, and listed in their order", async () => {
    const added = await put({ version: "4.9.9", ...pullspecs });
    assert.deepEqual(
      [added.status, added.json],
      [
        201,
        {
          name: "4.9.9",
          type: "Microsoft.RedHatOpenShift/OpenShiftVersion",
          properties: { version: "4.9.9", ...pullspecs, enabled: false, default: false },
        },
      ],
    );
    assert.deepEqual(await listed(), ["4.9.9 disabled", `${defaultVersion} default`]);
    assert.equal((await put({ version: "4.9.9", ...pullspecs, enabled: true })).status, 200);
    await customerSees("openShiftVersions", (text) => text.includes('"4.9.9"'));
    assert.equal((await put({ version: "4.9.9", ...pullspecs, enabled: false })).status, 200);
    await customerSees("openShiftVersions", (text) => !text.includes('"4.9.9"'));
  });

  test("have one default, which cannot be disabled and passes on in one go", async () => {
    const disabled = await put({ version: defaultVersion, ...pullspecs, enabled: false });
    const text = "You cannot disable the default installation version.";
    assertError(disabled, 400, "InvalidParameter", text, "properties.enabled");
    const none = await put({ version: "4.20.5", ...pullspecs, enabled: false, default: true });
    assertError(none, 400, "InvalidParameter", text, "properties.enabled");
    const dropped = await put({ version: defaultVersion, ...pullspecs, enabled: true, default: false });
    assertError(dropped, 400, "InvalidParameter", undefined, "properties.default");
    const kept = await put({ version: defaultVersion, ...pullspecs, enabled: true });
    assert.equal(kept.status, 200);
    assert.equal((await put({ version: "4.20.5", ...pullspecs, enabled: true, default: true })).status, 201);
    assert.deepEqual(
      (await listed()).filter((each) => !each.startsWith("4.9.")),
      [defaultVersion, "4.20.5 default"],
    );
    const both = await Promise.all(
      [defaultVersion, "4.21.0"].map((version) =>
        put({ version, ...pullspecs, enabled: true, default: true }),
      ),
    );
    for (const { status, text } of both) assert.ok(status === 200 || status === 201, text);
    assert.equal((await listed()).filter((each) => each.endsWith(" default")).length, 1);
  });

  test("that are no longer published vanish for customers by the change feed, and come back by a PUT", async () => {
    await put({ version: "4.7.7", ...pullspecs, enabled: true });
    await customerSees("openShiftVersions", (text) => text.includes('"4.7.7"'));
    const { items } = await frontend.database.collections.versions.list({ limit: 100 }, signal);
    const wanted = items
      .map(({ document }) => document.openShiftVersion.properties)
      .filter(({ version }) => version !== "4.7.7");
    const { removed } = await publishVersions(frontend.database, wanted, { dryRun: false, signal });
    assert.deepEqual(removed, ["4.7.7"]);
    await customerSees("openShiftVersions", (text) => !text.includes('"4.7.7"'));
    assert.ok(!(await listed()).some((each) => each.startsWith("4.7.7")));
    assert.equal((await put({ version: "4.7.7", ...pullspecs, enabled: true })).status, 200);
    await customerSees("openShiftVersions", (text) => text.includes('"4.7.7"'));
    assert.equal((await put({ version: "4.7.7", ...pullspecs, enabled: false })).status, 200);
  });

  test("are live in every frontend on the database", async () => {
    const other = new Catalogue(frontend.database, systemClock, silentLogger);
    const stop = new AbortController();
    const following = other.follow(stop.signal);
    const names = async () => (await other.versions(stop.signal)).names;
    while (!other.following) await delay(1);
    assert.ok(!(await names()).includes("4.22.0"));
    await put({ version: "4.22.0", ...pullspecs, enabled: true });
    const limit = Date.now() + 60_000;
    while (!(await names()).includes("4.22.0")) {
      assert.ok(Date.now() < limit);
      await delay(5);
    }
    stop.abort();
    await following;
  });

  test("of earlier releases, without images of machines, are listed with the published ones", async () => {
    const { versions: collection } = frontend.database.collections;
    const properties = { version: "4.19.77", ...registryImages, enabled: false, default: false };
    const document = { id: "old", partitionKey: versionsPartition, openShiftVersion: { properties } };
    await frontend.database.commit(versionsPartition, [create(collection, document)], { signal });
    const { value } = JSON.parse((await frontend.admin.get(versions)).text);
    const found = value.find((each: { name: string }) => each.name === "4.19.77");
    assert.deepEqual(found.properties, { ...properties, machineImages });
  });

  test("without images of machines get the published ones, and keep existing ones", async () => {
    const own = { hyperVGen1: { ...image, version: "419.6.1" } };
    for (const [given, expected] of [
      [{}, machineImages],
      [{ machineImages: own }, own],
      [{}, own],
    ]) {
      const { json } = await put({ version: "4.19.78", ...registryImages, ...given });
      assert.deepEqual(Object(json.properties).machineImages, expected);
    }
  });

  const refusals = [
    [{}, "properties.version", "Must be provided"],
    [{ version: "4.1.1" }, "properties.installerPullspec", "Must be provided"],
    [{ version: "4.1.1", installerPullspec: "x" }, "properties.openShiftPullspec", "Must be provided"],
    [
      { version: "4.1.1", ...registryImages },
      "properties.machineImages",
      "Must be provided: hyperVGen1, hyperVGen2 or both, as in no-purchase-plan of the release's stream data",
    ],
    [
      { version: "4.1.1", ...registryImages, machineImages: { hyperVGen1: { ...image, sku: "" } } },
      "properties.machineImages.hyperVGen1.sku",
      "Must be provided",
    ],
    [
      { version: "4.1.1", ...registryImages, machineImages: { hyperVGen2: { ...image, version: "latest" } } },
      "properties.machineImages.hyperVGen2.version",
      "The provided image version 'latest' is invalid: must be in the format 'x.y.z', for example 419.6.20250523.",
    ],
    [
      { version: "latest", ...pullspecs },
      "properties.version",
      "The provided version 'latest' is invalid: must be in the format 'x.y.z'.",
    ],
  ] as const;
  for (const [properties, target, message] of refusals) {
    test(`are refused: ${target} ${message}`, async () => {
      assertError(await put(properties), 400, "InvalidParameter", message, target);
    });
  }

  test("have members that match in any case", async () => {
    const folded = { Publisher: "azureopenshift", OFFER: "aro4", Sku: "aro_419", VERSION: "419.6.20250523" };
    const body = {
      Properties: {
        VERSION: "4.1.9",
        openshiftPullspec: "a",
        InstallerPullSpec: "b",
        MachineImages: { hypervgen1: folded },
      },
    };
    const { status, json } = await frontend.admin.put(versions, body);
    const images = { machineImages: { hyperVGen1: image } };
    const properties = { version: "4.1.9", openShiftPullspec: "a", installerPullspec: "b", ...images };
    assert.deepEqual([status, json.properties], [201, { ...properties, enabled: false, default: false }]);
  });

  test("with properties of the wrong type are rejected", async () => {
    for (const body of ["[]", '{"properties":1}', "{", '{"properties":{"version":1}}']) {
      assertError(await frontend.admin.put(versions, body), 400, "InvalidRequestContent");
    }
    const flag = await put({ version: "4.1.1", ...pullspecs, enabled: "yes" });
    assertError(flag, 400, "InvalidRequestContent", undefined, "properties.enabled");
  });
});

describe("role sets", () => {
  const role = {
    operatorName: "ingress",
    roleDefinitionName: "Ingress Operator",
    roleDefinitionId: "/providers/Microsoft.Authorization/roleDefinitions/1",
    serviceAccounts: ["system:serviceaccount:a:b"],
    secretLocation: { namespace: "a", name: "secret" },
  };
  const put = (properties: object) => frontend.admin.put(roleSets, { properties });
  const { serviceAccounts: _, secretLocation: __, ...shownRole } = role;
  const shown = (minor: string) => ({
    name: minor,
    type: "Microsoft.RedHatOpenShift/PlatformWorkloadIdentityRoleSet",
    properties: { openShiftVersion: minor, platformWorkloadIdentityRoles: [shownRole] },
  });

  test("are added and replaced, and customers see them without internal properties", async () => {
    for (const minor of ["4.16", "4.9"]) {
      const added = await put({ openShiftVersion: minor, platformWorkloadIdentityRoles: [role] });
      assert.equal(added.status, 201, added.text);
    }
    const all = await customerSees("platformWorkloadIdentityRoleSets", (text) => text.includes('"4.9"'));
    assert.deepEqual(all, { value: [shown("4.9"), shown("4.16")] });
    const one = await customerSees("platformWorkloadIdentityRoleSets/4.16", () => true);
    assert.deepEqual(one, shown("4.16"));

    const more = {
      openShiftVersion: "4.16",
      platformWorkloadIdentityRoles: [role, { ...role, operatorName: "b" }],
    };
    assert.equal((await put(more)).status, 200);
    const { value } = JSON.parse((await frontend.admin.get(roleSets)).text);
    assert.deepEqual(
      value.map(({ properties }: { properties: object }) => properties),
      [{ openShiftVersion: "4.9", platformWorkloadIdentityRoles: [role] }, more],
    );
    await customerSees("platformWorkloadIdentityRoleSets/4.16", (text) => text.includes('"b"'));
  });

  test("that do not exist are 400, and older API versions have no role sets", async () => {
    const path = `${location}/platformWorkloadIdentityRoleSets/4.1`;
    assertError(
      await frontend.client.get(`${path}?api-version=${current}`),
      400,
      "ResourceNotFound",
      `The Resource platformWorkloadIdentityRoleSet with version '4.1' was not found in the namespace 'microsoft.redhatopenshift' for api version '${current}'.`,
    );
    assertError(
      await frontend.client.get(`${path}?api-version=2023-11-22`),
      400,
      "InvalidResourceType",
      "The endpoint could not be found in the namespace 'microsoft.redhatopenshift' for api version '2023-11-22'.",
    );
  });

  test("have members that match in any case", async () => {
    const folded = (object: object) =>
      Object.fromEntries(Object.entries(object).map(([name, value]) => [name.toUpperCase(), value]));
    const wanted = { openShiftVersion: "4.8", platformWorkloadIdentityRoles: [role] };
    const sent = {
      openshiftVersion: "4.8",
      PlatformWorkloadIdentityRoles: [{ ...folded(role), SECRETLOCATION: folded(role.secretLocation) }],
    };
    const { status, json } = await frontend.admin.put(roleSets, { PROPERTIES: sent });
    assert.deepEqual([status, json.properties], [201, wanted]);
  });

  const roles = "properties.platformWorkloadIdentityRoles";
  const refusals = [
    [{}, "properties.openShiftVersion", "Must be provided"],
    [{ openShiftVersion: "4.16" }, roles, "Must be provided and must be non-empty"],
    [
      { openShiftVersion: "4.16", platformWorkloadIdentityRoles: [role, { operatorName: "x" }] },
      `${roles}[1].roleDefinitionName, ${roles}[1].roleDefinitionId, ${roles}[1].serviceAccounts`,
      "Must be provided",
    ],
    [
      { openShiftVersion: "4.16.1", platformWorkloadIdentityRoles: [role] },
      "properties.openShiftVersion",
      "The provided version '4.16.1' is invalid: must be in the format 'x.y'.",
    ],
  ] as const;
  for (const [properties, target, message] of refusals) {
    test(`are refused: ${target} ${message}`, async () => {
      assertError(await put(properties), 400, "InvalidParameter", message, target);
    });
  }
});

describe("sizes of machines", () => {
  const sizes = (role: string) => frontend.admin.get(`/admin/supportedVmSizes?vmRole=${role}`);

  test("are those of a role, with their cores and family", async () => {
    const master = await sizes("master");
    const worker = await sizes("worker");
    assert.deepEqual(master.json.Standard_D8s_v5, { coreCount: 8, family: "standardDSv5Family" });
    assert.equal(master.json.Standard_D4s_v5, undefined);
    assert.deepEqual([Object.keys(master.json).length, Object.keys(worker.json).length], [70, 139]);
  });

  test("of an unknown role are rejected", async () => {
    assertError(
      await sizes("king"),
      400,
      "InvalidParameter",
      "The provided vmRole 'king' is invalid. vmRole can only be master or worker",
    );
  });
});
