import assert from "node:assert/strict";
import { test } from "node:test";
import { type KubeObject, startApiServer } from "@keelson/apiserver";
import {
  createCertificateAuthority,
  issueCertificate,
  numberAt,
  silentLogger,
  systemClock,
} from "@keelson/base";
import { eventually } from "@keelson/base/testing/eventually";
import { resources } from "../base/resources.ts";
import { startWorkloads } from "./start-workloads.ts";

const pods = 1_000;
const limitMs = 600_000;

test("a thousand pods start and cause no timer and no write while they run", {
  timeout: 2 * limitMs,
}, async () => {
  const ca = await createCertificateAuthority("test", 2);
  const tls = await issueCertificate(ca, {
    commonName: "localhost",
    dnsNames: ["localhost"],
    usage: "server",
    validDays: 1,
  });
  await using server = await startApiServer({
    host: "127.0.0.1",
    port: 0,
    tls,
    storage: { kind: "memory" },
    logger: silentLogger,
    clock: systemClock,
  });
  const cluster = await server.createCluster({
    name: "demo",
    clientCertificateAuthorities: [ca.certificatePem],
  });
  await using _workloads = await startWorkloads(cluster, {
    nodes: 10,
    clock: systemClock,
    logger: silentLogger,
  });
  const { deployments } = resources;
  const deployment: KubeObject = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "many", namespace: "default" },
    spec: {
      replicas: pods,
      selector: { matchLabels: { app: "many" } },
      template: {
        metadata: { labels: { app: "many" } },
        spec: { containers: [{ name: "c", image: "server" }] },
      },
    },
  };
  await cluster.client.create(deployments, deployment);
  await eventually(async () => {
    const { status } = await cluster.client.get(deployments, { namespace: "default", name: "many" });
    assert.equal(numberAt(status, "availableReplicas"), pods);
  });
  const timers = () => process.getActiveResourcesInfo().filter((each) => each === "Timeout").length;
  const revision = async () => (await cluster.client.list(deployments)).resourceVersion;
  // The status updates of the last pods may arrive later.
  await eventually(async () => {
    const before = await revision();
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.ok(timers() < 20, `${timers()} timers`);
    assert.equal(await revision(), before);
  });
});
