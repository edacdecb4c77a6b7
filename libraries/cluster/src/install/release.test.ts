import assert from "node:assert/strict";
import { test } from "node:test";
import { CloudError } from "@keelson/arm";
import type { ListQuery } from "@keelson/database";
import { versionsPartition } from "@keelson/model";
import { readRelease } from "./release.ts";

const signal = AbortSignal.timeout(900_000);

function stored(version: string, enabled: boolean) {
  const properties = {
    version,
    openShiftPullspec: `quay.io/release:${version}`,
    installerPullspec: `registry.example/installer:${version}`,
    enabled,
    default: false,
  };
  const document = { id: version, partitionKey: versionsPartition, openShiftVersion: { properties } };
  return { document, etag: "1" };
}

const versions = {
  list: async ({ partitionKey }: ListQuery) => ({
    items: partitionKey === versionsPartition ? [stored("4.19.24", true), stored("4.18.1", false)] : [],
  }),
};

test("the images of a version are those that administrators have put", async () => {
  const { openShiftPullspec, installerPullspec } = await readRelease(versions, "4.19.24", signal);
  assert.equal(openShiftPullspec, "quay.io/release:4.19.24");
  assert.equal(installerPullspec, "registry.example/installer:4.19.24");
});

for (const version of ["4.18.1", "4.17.0"]) {
  test(`version ${version}, which is disabled or unknown, is not installed`, async () => {
    await assert.rejects(readRelease(versions, version, signal), (error) => {
      assert.ok(error instanceof CloudError);
      assert.deepEqual(
        [error.status, error.body],
        [
          400,
          {
            code: "InvalidParameter",
            message: `The requested OpenShift version '${version}' is not supported.`,
            target: "properties.clusterProfile.version",
          },
        ],
      );
      return true;
    });
  });
}
