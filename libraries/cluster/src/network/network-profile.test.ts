import assert from "node:assert/strict";
import { test } from "node:test";
import { resources } from "@keelson/kube";
import { newCluster } from "@keelson/model/testing";
import type { ClusterContext } from "../context/context.ts";
import { memoryCluster } from "../testing/memory-cluster.ts";
import { ensureMTUSize, populateMTUSize, reconcileSoftwareDefinedNetwork } from "./network-profile.ts";

const singleton = { name: "cluster" };
const network = newCluster({ name: "demo" }).properties.networkProfile;

test("a cluster that has left the old network plug-in is known to have", async () => {
  const { context, kube } = memoryCluster({
    networkProfile: { ...network, softwareDefinedNetwork: "OpenShiftSDN" },
  });
  const plugIn = () => context.cluster.properties.networkProfile.softwareDefinedNetwork;
  kube.put(resources.configNetworks, { metadata: singleton, spec: { networkType: "OpenShiftSDN" } });
  await reconcileSoftwareDefinedNetwork(context);
  assert.equal(plugIn(), "OpenShiftSDN");
  kube.put(resources.configNetworks, { metadata: singleton, spec: { networkType: "OVNKubernetes" } });
  await reconcileSoftwareDefinedNetwork(context);
  assert.equal(plugIn(), "OVNKubernetes");
});

test("the size of packets is the subscription's for new clusters, and their own for old ones", async () => {
  const mtuOf = ({ cluster }: ClusterContext) => cluster.properties.networkProfile.mtuSize;
  const plain = memoryCluster();
  await populateMTUSize(plain.context);
  assert.equal(mtuOf(plain.context), 1500);
  const old = memoryCluster();
  old.kube.put(resources.machineConfigs, { metadata: { name: "99-master-mtu" } });
  await ensureMTUSize(old.context);
  assert.equal(mtuOf(old.context), 3900);
  await ensureMTUSize(plain.context);
  assert.equal(mtuOf(plain.context), 1500);
});
