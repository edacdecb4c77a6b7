import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { clusterAddress, clusterBody, current, first } from "../testing/cluster-request.ts";
import { addVersion } from "../testing/fake-worker.ts";
import { defaultVersion, startTestFrontend, type TestFrontend } from "../testing/test-frontend.ts";

let frontend: TestFrontend;
before(async () => {
  frontend = await startTestFrontend();
});
after(() => frontend[Symbol.asyncDispose]());

describe("OpenShift versions", () => {
  const base = (version: string) =>
    `/subscriptions/${randomUUID()}/providers/Microsoft.RedHatOpenShift/locations/EastUS/openShiftVersions${version}`;

  /** Waits until the list contains `version`, and returns the list. The list follows the database's change feed with a delay. */
  async function listWith(version: string): Promise<unknown> {
    const limit = Date.now() + 60_000;
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
