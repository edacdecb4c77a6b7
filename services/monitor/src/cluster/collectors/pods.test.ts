import assert from "node:assert/strict";
import { test } from "node:test";
import { silentLogger } from "@keelson/base";
import type { KubeClient } from "@keelson/kube";
import type { ClusterDocument } from "@keelson/model";
import { ClusterView } from "../cluster-view.ts";
import { pods } from "./pods.ts";

test("completed pods are not requested, because they have no conditions to report and never restart", async () => {
  const requested: unknown[] = [];
  const kube: Pick<KubeClient, "list"> = {
    async list(resource, { namespace, fieldSelector }) {
      requested.push([resource.plural, namespace, fieldSelector]);
      return { items: [], resourceVersion: "1" };
    },
  };
  const { signal } = new AbortController();
  const azure = () => {
    throw new Error("there is no Azure here");
  };
  await pods(["openshift-etcd"]).collect({
    view: new ClusterView({ kube: kube as KubeClient, azure, signal }),
    document: {} as ClusterDocument,
    emit: () => undefined,
    explain: () => undefined,
    isHourly: false,
    now: new Date(),
    logger: silentLogger,
    signal,
  });
  assert.deepEqual(requested, [["pods", "openshift-etcd", "status.phase!=Succeeded"]]);
});
