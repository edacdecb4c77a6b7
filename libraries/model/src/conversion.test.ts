import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { adminVersion } from "./api-versions/admin-version.ts";
import { apiVersions } from "./api-versions/api-versions.ts";
import { readCluster } from "./conversion/external.ts";
import { writeCluster } from "./conversion/internal.ts";
import { bodyIn, wireIn } from "./testing/arbitrary-cluster.ts";
import { installedCluster, revealed, versionNamed } from "./testing/test-cluster.ts";

const versions = [...apiVersions, adminVersion];
const newest = versionNamed("2025-07-25");
const secrets = { secrets: true };
const runs = { numRuns: 25 };

for (const version of versions) {
  test(`what is written in ${version.name} is read as it was`, () => {
    fc.assert(
      fc.property(wireIn(version), (wire) => {
        assert.deepEqual(readCluster(version, writeCluster(version, wire, {}), secrets), wire);
      }),
      runs,
    );
  });

  test(`a cluster of any version, read in ${version.name} and written back, is the same`, () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...apiVersions).chain((author) => fc.tuple(fc.constant(author), bodyIn(author))),
        ([author, body]) => {
          const stored = installedCluster(author, body);
          const written = writeCluster(version, readCluster(version, stored, secrets), stored);
          assert.deepEqual(revealed(written), revealed(stored));
        },
      ),
      runs,
    );
  });

  test(`a cluster written in ${version.name} over a different cluster is read unchanged`, () => {
    fc.assert(
      fc.property(wireIn(newest), wireIn(version), (before, wire) => {
        const stored = writeCluster(newest, before, {});
        assert.deepEqual(readCluster(version, writeCluster(version, wire, stored), secrets), wire);
      }),
      runs,
    );
  });
}
