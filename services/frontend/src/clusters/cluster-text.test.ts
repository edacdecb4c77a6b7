import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { apiVersions, type OpenShiftCluster, toExternal } from "@keelson/model";
import { newCluster } from "../testing/clusters.ts";
import { storedCluster } from "../testing/fake-worker.ts";
import { startTestFrontend, type TestFrontend } from "../testing/test-frontend.ts";
import { clusterListText, clusterText } from "./cluster-text.ts";

let frontend: TestFrontend;
let clusters: readonly OpenShiftCluster[];
before(async () => {
  frontend = await startTestFrontend();
  const made = await Promise.all([newCluster(frontend), newCluster(frontend)]);
  const stored = await Promise.all(made.map((address) => storedCluster(frontend.database, address)));
  clusters = stored.map(({ document: { openShiftCluster } }, index) => ({
    ...openShiftCluster,
    tags: { [`line\nend "${index}"`]: '{\n"value": []\n}' },
  }));
});
after(() => frontend[Symbol.asyncDispose]());

test("the rendered text matches the value, also after reads in other versions", () => {
  for (const link of [undefined, 'https://example.org/?a=b"\n']) {
    for (const version of [...apiVersions, ...apiVersions]) {
      for (const count of [0, 1, 2]) {
        const members = clusters.slice(0, count);
        const value = members.map((cluster) => toExternal(version, cluster, "read"));
        const page = link === undefined ? { value } : { value, nextLink: link };
        assert.equal(`${clusterListText(version, members, link)}`, `${JSON.stringify(page, null, 4)}\n`);
        for (const [index, cluster] of members.entries()) {
          assert.equal(`${clusterText(version, cluster)}`, `${JSON.stringify(value[index], null, 4)}\n`);
        }
      }
    }
  }
});
