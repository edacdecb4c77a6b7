import { after, before, test } from "node:test";
import { failAndDelete, type Region, startRegion } from "../testing/repeated-creations.ts";
import { testRepetitions } from "../testing/repetition-tests.ts";

let region: Region;
before(async () => {
  region = await startRegion();
});
after(() => region[Symbol.asyncDispose]());

// Here, the operations fail only after every third step. In repeated-operations.long-test.ts, they fail after each step.
testRepetitions("service principal", () => region, 3);

test("a creation that failed after the installer has begun can be deleted", async () => {
  for (const step of ["createMachines", "finishInstallation"])
    await failAndDelete(region, region.newCluster("failed", "service principal"), step);
});
