import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { resources } from "@keelson/kube";
import { kitServers } from "@keelson/operator-kit/testing";
import { runTimeline } from "./timeline.ts";

const namespace = "openshift-kube-apiserver";

test("a rollout is shown as a table, as JSON and as a picture, from what the cluster has alone", async () => {
  const [server] = kitServers;
  assert.ok(server);
  await using cluster = await server.start({ kinds: [resources.kubeApiServers] });
  const directory = await mkdtemp(join(tmpdir(), "timeline-"));
  try {
    await writeFile(join(directory, "kubeconfig"), cluster.kubeconfig);
    const access = { kubeconfig: join(directory, "kubeconfig"), serviceAccount: "", last: 5 };
    await cluster.put(resources.kubeApiServers, {
      metadata: { name: "cluster" },
      spec: { managementState: "Managed" },
    });
    assert.equal(await runTimeline({ ...access, output: "table" }, {}), "there is no revision yet\n");
    await cluster.api.mergePatch(
      resources.kubeApiServers,
      { name: "cluster" },
      { status: { latestAvailableRevision: 1, nodeStatuses: [{ nodeName: "m" }] } },
      cluster.signal,
      "status",
    );
    await cluster.put(resources.configMaps, {
      metadata: {
        namespace,
        name: "revision-status-1",
        annotations: { "operator.openshift.io/revision-ready": "true" },
      },
      data: { revision: "1", reason: 'configmap "kube-apiserver-pod-0" not found' },
    });
    const table = await runTimeline({ ...access, output: "table" }, {});
    assert.match(table, /^revision 1: configmap "kube-apiserver-pod-0" not found\nTIME +AFTER +NODE +WHAT\n/);
    assert.match(table, /\n- +- +m +waiting\n$/);
    const [rollout] = JSON.parse(await runTimeline({ ...access, output: "json" }, {}));
    assert.deepEqual(rollout.nodes, [{ node: "m", spans: [], state: "waiting" }]);
    const picture = join(directory, "timeline.svg");
    assert.equal(await runTimeline({ ...access, output: "table", svg: picture }, {}), "");
    assert.match(
      await readFile(picture, "utf8"),
      /^<svg [\s\S]*Revision 1 [\s\S]*waits for its turn[\s\S]*<\/svg>\n$/,
    );
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
