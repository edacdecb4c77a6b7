import assert from "node:assert/strict";
import { test } from "node:test";
import { valueAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import { memoryCluster } from "../testing/memory-cluster.ts";
import { ensureCredentialsRequest } from "./install-operator.ts";

const { signal } = new AbortController();

test("a credentials request that is gone comes back", async () => {
  const { context, kube } = memoryCluster();
  await ensureCredentialsRequest(context);
  const key = { namespace: "openshift-cloud-credential-operator", name: "openshift-azure-operator" };
  const request = await kube.get(resources.credentialsRequests, key, signal);
  assert.deepEqual(valueAt(request, "spec", "secretRef"), {
    name: "azure-cloud-credentials",
    namespace: "openshift-azure-operator",
  });
});
