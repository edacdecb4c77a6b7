import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Clock,
  createCertificateAuthority,
  Metrics,
  silentLogger,
  stringAt,
  systemClock,
} from "@keelson/base";
import { type EventText, Manager } from "@keelson/controller";
import { apiServers } from "@keelson/controller/testing";
import { type KubeClient, type KubeObject, resources } from "@keelson/kube";
import { type RegenerationContext, regenerationControllers } from "./regeneration.ts";

const signal = new AbortController().signal;
const dayMs = 86_400_000;

/** Returns a clock that is the given number of days ahead of the system clock. */
function clockAfter(days: number): Clock {
  return { ...systemClock, now: () => new Date(Date.now() + days * dayMs) };
}

for (const { name: serverName, start } of apiServers)
  test(`a cluster that was off for longer than its certificates last heals itself (${serverName})`, async () => {
    await using server = await start();
    await using kube = server.connect();
    for (const name of [
      "openshift-config",
      "openshift-config-managed",
      "openshift-kube-apiserver-operator",
      "openshift-kube-apiserver",
    ])
      await kube.create(resources.namespaces, object("v1", "Namespace", { name }), signal);
    const admin = await createCertificateAuthority("admin-kubeconfig-signer", 3_650);
    await kube.create(
      resources.configMaps,
      {
        ...object("v1", "ConfigMap", { namespace: "openshift-config", name: "admin-kubeconfig-client-ca" }),
        data: { "ca-bundle.crt": admin.certificatePem },
      },
      signal,
    );

    const first = await regenerate(kube, systemClock, () => has(kube, "client-ca"));
    assert.ok(first.some(({ reason }) => reason === "SignerUpdateRequired"));
    const before = await secret(kube, "aggregator-client");

    const quiet = await regenerate(kube, clockAfter(20), () => Promise.resolve(true));
    assert.deepEqual(
      quiet.filter(({ reason }) => reason === "TargetUpdateRequired"),
      [],
    );

    const oldBundle = await bundle(kube);
    const events = await regenerate(kube, clockAfter(90), async () => {
      const changed = (await secret(kube, "aggregator-client")).data !== before.data;
      return changed && (await bundle(kube)) !== oldBundle;
    });
    assert.ok(
      events.some(({ message }) => message.endsWith("requires a new target cert/key pair: already expired")),
    );
    assert.ok((await bundle(kube)).includes(admin.certificatePem.trim().slice(40, 120)));
  });

async function regenerate(
  api: KubeClient,
  clock: Clock,
  isDone: () => Promise<boolean>,
): Promise<readonly EventText[]> {
  const events: EventText[] = [];
  const metrics = new Metrics();
  const expiry = metrics.gauge({ name: "expiry", help: "x", labels: ["namespace", "name"] });
  // These controllers wait 10 s for the operator. With this clock, the 10 s pass immediately.
  let monotonicMs = 0;
  const hurried: Clock = {
    ...clock,
    monotonicMs: () => (monotonicMs += 5_000),
    sleep: (ms, stop) => clock.sleep(Math.min(ms, 10), stop),
  };
  const manager = new Manager<RegenerationContext>({
    api,
    component: "regeneration",
    instance: "test",
    context: (parts) => ({ ...parts, clock: hurried, expiry, report: (event) => events.push(event) }),
    controllers: regenerationControllers(),
    metrics,
    clock: systemClock,
    logger: silentLogger,
  });
  const stop = new AbortController();
  const running = manager.run(stop.signal);
  const ready = async () => manager.isReady && (await isDone());
  for (const ends = Date.now() + 30_000; !(await ready()); ) {
    assert.ok(Date.now() < ends, "nothing was regenerated");
    await systemClock.sleep(20, signal);
  }
  stop.abort();
  await running;
  return events;
}

function object(apiVersion: string, kind: string, metadata: KubeObject["metadata"]): KubeObject {
  return { apiVersion, kind, metadata };
}

function secret(kube: KubeClient, name: string): Promise<KubeObject> {
  return kube.get(resources.secrets, { namespace: "openshift-kube-apiserver", name }, signal);
}

async function has(kube: KubeClient, name: string): Promise<boolean> {
  return (
    (await kube.find(resources.configMaps, { namespace: "openshift-kube-apiserver", name }, signal)) !==
    undefined
  );
}

async function bundle(kube: KubeClient): Promise<string> {
  const key = { namespace: "openshift-kube-apiserver", name: "client-ca" };
  return stringAt(await kube.find(resources.configMaps, key, signal), "data", "ca-bundle.crt") ?? "";
}
