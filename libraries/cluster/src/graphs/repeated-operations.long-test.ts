import { after, before, test } from "node:test";
import { failAndDelete, type Region, startRegion, stepsOfCreation } from "../testing/repeated-creations.ts";
import { testRepetitions } from "../testing/repetition-tests.ts";

let region: Region;
before(async () => {
  region = await startRegion();
});
after(() => region[Symbol.asyncDispose]());

testRepetitions("service principal", () => region);
testRepetitions("managed identities", () => region);

for (const kind of ["service principal", "managed identities"] as const) {
  test(`a creation with ${kind} that failed after any step of the installation can be deleted`, async () => {
    const { final } = stepsOfCreation(region.newCluster("failed", kind));
    for (const step of final) await failAndDelete(region, region.newCluster("failed", kind), step);
  });
}
