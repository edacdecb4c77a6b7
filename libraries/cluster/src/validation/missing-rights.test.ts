import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import type { OpenShiftCluster } from "@keelson/model";
import { newCluster } from "@keelson/model/testing";
import {
  clientId,
  location,
  startTestAzure,
  subscriptionId,
  type TestAzure,
} from "@keelson/sim-azure/testing";
import { findMissingRights } from "./missing-rights.ts";
import { type Denial, principalSubject, type Subject } from "./subject.ts";

const signal = AbortSignal.timeout(900_000);
const networkContributor = "4d97b98b-1d4f-4787-a291-c67834d212e7";
let azure: TestAzure;
let cluster: OpenShiftCluster;
before(async () => {
  azure = await startTestAzure();
  const { resources, network, call } = azure.clients;
  await resources.resourceGroups.createOrUpdate("g", { location }, call(signal));
  const { id } = await network.virtualNetworks.createOrUpdate(
    "g",
    "vnet",
    {
      location,
      addressSpace: { addressPrefixes: ["10.0.0.0/16"] },
      subnets: [
        { name: "master", addressPrefix: "10.0.0.0/24" },
        { name: "worker", addressPrefix: "10.0.1.0/24" },
      ],
    },
    call(signal),
  );
  cluster = newCluster({
    name: "demo",
    subscriptionId,
    masterSubnetId: `${id}/subnets/master`,
    workerSubnetId: `${id}/subnets/worker`,
  });
});
after(() => azure[Symbol.asyncDispose]());

/** Returns a subject with permissions that Azure has not propagated yet. */
function forgotten(): Subject {
  const denial: Denial = { code: "InvalidServicePrincipalPermissions", who: "test principal" };
  return { ...principalSubject("cluster", azure.clients, clientId), findDenial: async () => denial };
}

const find = (subject: Subject, principalId: string) =>
  findMissingRights(cluster, [{ subject, principalId }], azure.clients, signal);

test("a right that no assignment gives is missing; one assigned a moment ago is not", async () => {
  const { objectId: principalId } = await azure.register();
  const missing = await find(forgotten(), principalId);
  assert.deepEqual(
    missing.map(({ message }) => message.replace(/'.*virtualNetworks/, "'")),
    ["vnet '/vnet'", "subnet '/vnet/subnets/master'", "subnet '/vnet/subnets/worker'"].map(
      (what) => `The test principal does not have required permissions on ${what}.`,
    ),
  );
  const scope = `/subscriptions/${subscriptionId}/resourceGroups/g`;
  await azure.clients.authorization.roleAssignments.create(scope, randomUUID(), {
    roleDefinitionId: `/subscriptions/${subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/${networkContributor}`,
    principalId,
  });
  assert.deepEqual(await find(forgotten(), principalId), []);
});

test("no right is reported as missing without a response from Azure", async () => {
  const silent: Subject = { ...forgotten(), findDenial: () => Promise.reject(new Error("no answer")) };
  assert.deepEqual(await find(silent, randomUUID()), []);
  const ended = AbortSignal.abort();
  const suspect = { subject: forgotten(), principalId: randomUUID() };
  assert.deepEqual(await findMissingRights(cluster, [suspect], azure.clients, ended), []);
});
