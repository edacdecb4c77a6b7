/** Tests Azure's SDK for Go and client-go, unmodified. Requires Go and the modules. */

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { httpConnectTimeoutMs } from "@keelson/base";
import { Agent } from "undici";
import { registerApplication } from "../e2e/support/cluster-request.ts";
import { readEndpoints } from "../e2e/support/endpoints.ts";
import { Program, StateDirectory } from "../e2e/support/program.ts";
import { buildGoProgram, runGoProgram } from "./support/program.ts";

describe("programs in Go", { timeout: 900_000 }, () => {
  const stack = new AsyncDisposableStack();
  const state = stack.use(new StateDirectory());
  let built: Awaited<ReturnType<typeof buildGoProgram>>;

  before(async () => {
    built = await buildGoProgram();
    if ("missing" in built) return;
    const flags = ["--state", state.path, "--ports", "auto", "--subnets-for", "from-go"];
    await stack.use(Program.start("up", ...flags)).says(/endpoints/);
  });
  after(() => stack.disposeAsync());

  test("armredhatopenshift creates, reads, lists, updates and deletes a cluster, and gets its credentials", async (t) => {
    if ("missing" in built) return t.skip(built.missing);
    const endpoints = readEndpoints(state.file("endpoints.json"));
    const agent = new Agent({
      connect: { timeout: httpConnectTimeoutMs, ca: readFileSync(endpoints.caFile, "utf8") },
    });
    stack.defer(() => agent.destroy());
    const cluster = await registerApplication(endpoints, agent);
    const facts = await runGoProgram<object>(built.program, "arm", {
      ARM: endpoints.arm,
      LOGIN: endpoints.login,
      SSL_CERT_FILE: endpoints.caFile,
      AZURE_TENANT_ID: endpoints.tenantId,
      AZURE_CLIENT_ID: endpoints.clientId,
      AZURE_CLIENT_SECRET: endpoints.clientSecret,
      AZURE_SUBSCRIPTION_ID: endpoints.subscriptionId,
      CLUSTER: "from-go",
      CLUSTER_CLIENT_ID: cluster.clientId,
      CLUSTER_CLIENT_SECRET: cluster.clientSecret,
      LOCATION: "eastus",
      VNET_RESOURCEGROUP: "keelson-network",
    });
    const { Version, Versions, KubeconfigBytes, ...rest }: Record<string, unknown> = { ...facts };
    assert.match(String(Version), /^4\.\d+\.\d+$/);
    assert.ok(Number(Versions) > 1);
    assert.ok(Number(KubeconfigBytes) > 1_000);
    assert.deepEqual(rest, {
      Created: "Succeeded",
      Updated: "Succeeded",
      Tags: { from: "go" },
      Listed: ["demo", "from-go"],
      ListedInGroup: ["from-go"],
      KubeadminUser: "kubeadmin",
      AfterDelete: "ResourceNotFound",
      Statuses: ["PUT 201", "PATCH 200", "POST 200", "POST 200", "DELETE 202"],
    });
  });

  test("client-go lists by pages, watches, patches, fills a cache and runs a command in a pod", async (t) => {
    if ("missing" in built) return t.skip(built.missing);
    const { code, stdout, stderr } = await Program.run("kubeconfig", "demo", "--state", state.path);
    assert.equal(code, 0, stderr);
    const kubeconfig = state.file("admin.kubeconfig");
    writeFileSync(kubeconfig, stdout, { mode: 0o600 });
    const facts = await runGoProgram<object>(built.program, "kube", { KUBECONFIG: kubeconfig });
    const { ClusterOperators, Informed, ...rest }: Record<string, unknown> = { ...facts };
    assert.ok(Number(ClusterOperators) >= 25);
    assert.ok(Array.isArray(Informed) && Informed.length >= 3);
    assert.deepEqual(rest, {
      Nodes: 6,
      Events: ["ADDED", "MODIFIED", "DELETED"],
      Patched: "12",
      Conflict: true,
      ExecOutput: "from go\n",
    });
  });
});
