import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { Secret, systemClock } from "@keelson/base";
import { resources } from "@keelson/kube";
import { preparedCluster } from "@keelson/model/testing";
import type { ProgressReport } from "../install/install-context.ts";
import { generatedAssets, kubeadminPassword } from "../testing/asset-graph.ts";
import { type HiveCluster, startHiveCluster } from "../testing/hive-cluster.ts";
import { runHiveDouble } from "../testing/hive-double.ts";
import { machineKey } from "../testing/machine-key.ts";
import { offlineContext } from "../testing/offline-context.ts";
import { hiveInstaller } from "./installer.ts";

const signal = AbortSignal.timeout(900_000);
let hive: HiveCluster;
before(async () => {
  hive = await startHiveCluster(signal);
});
after(() => hive?.[Symbol.asyncDispose]());

/** Clock that sleeps only a hundredth of the requested time. */
const hurriedClock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  sleep: (ms: number, until: AbortSignal) => systemClock.sleep(ms / 100, until),
};

test("an install ends with the controllers' success, and its namespace with their finalizer", async () => {
  const id = { UUID: randomUUID(), InfraID: "demo-x1x2x" };
  const graph = JSON.stringify({ ...(await generatedAssets()), "*installconfig.ClusterID": id });
  const documentId = randomUUID();
  const reports: ProgressReport[] = [];
  const context = offlineContext({
    cluster: preparedCluster(machineKey()),
    signal,
    documentId,
    clock: hurriedClock,
    onReport: (each) => reports.push(each),
  });
  const machines = Promise.withResolvers<void>();
  let stored: string | undefined;
  const installer = hiveInstaller({
    kube: hive.kube,
    pullSecret: new Secret('{"auths":{"registry.example":{"auth":"eA=="}}}'),
    readGraph: async () => stored,
  });
  const stop = new AbortController();
  const controllers = runHiveDouble({
    kube: hive.kube,
    install: async () => {
      stored = graph;
      await machines.promise;
      return { kind: "succeeded" };
    },
    signal: stop.signal,
  });
  const state = await installer.generate(context);
  assert.equal(state.kubeadminPassword, kubeadminPassword);
  assert.equal(await installer.bootstrapComplete(context), false);
  assert.deepEqual(reports.at(-1), { fraction: 0.4, activity: "Hive's installer creates the cluster" });
  machines.resolve();
  while (!(await installer.bootstrapComplete(context))) await systemClock.sleep(20, signal);

  await installer.forget(context);
  const name = `aro-${documentId}`;
  while (await hive.kube.find(resources.namespaces, { name }, signal)) await systemClock.sleep(20, signal);
  stop.abort();
  await controllers;
});
