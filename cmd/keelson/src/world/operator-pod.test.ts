import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { operatorPod } from "./operator-pod.ts";

test("a pod's files, ports and API server are where this machine has them", async () => {
  const directory = await mkdtemp(join(tmpdir(), "operator-pod-"));
  try {
    const kubeconfig = join(directory, "kubeconfig");
    const server = "https://localhost:6443/clusters/demo";
    await writeFile(kubeconfig, JSON.stringify({ clusters: [{ cluster: { server } }] }));
    const { port, ...pod } = await operatorPod({
      KUBECONFIG: kubeconfig,
      KEELSON_ROOT: "/node/root",
      KEELSON_SERVICE_ACCOUNT: "/node/account",
      KEELSON_PORT_8080: "32000",
      AZURE_CLIENT_ID: "id",
      AZURE_FEDERATED_TOKEN_FILE: "/var/run/secrets/token",
      OTHER_FILE: "relative",
    });
    assert.deepEqual([port(8_080), port(8_888)], [32_000, 0]);
    assert.deepEqual(pod, {
      server,
      serviceAccount: "/node/account",
      environment: {
        KEELSON_ROOT: "/node/root",
        KEELSON_SERVICE_ACCOUNT: "/node/account",
        KEELSON_PORT_8080: "32000",
        AZURE_CLIENT_ID: "id",
        AZURE_FEDERATED_TOKEN_FILE: "/node/root/var/run/secrets/token",
        OTHER_FILE: "/node/root/relative",
      },
    });
  } finally {
    await rm(directory, { recursive: true });
  }
});
