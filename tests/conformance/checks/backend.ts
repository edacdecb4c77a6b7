import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { type KubeClient, resources } from "@keelson/kube";
import type { Check } from "../support/check.ts";
import { assertStatus } from "../support/expect.ts";
import {
  infraIdOf,
  managedResources,
  ofNetwork,
  outboundIps,
  publicIps,
  shown,
  updateOutboundIps,
} from "../support/managed-group.ts";
import { newest, type Service } from "../support/service.ts";
import { failing, theWorld } from "../support/world.ts";

const operatorNamespace = "openshift-azure-operator";

/** Requests maintenance and waits until it has completed. */
async function maintain(service: Service, name: string, properties: object) {
  const response = await service.admin.patch(service.cluster(name, "admin"), { properties });
  assertStatus(response, 200);
  return { response, operation: await service.settle(response) };
}

async function operationCount(service: Service, name: string): Promise<number> {
  const { body } = await service.admin.get(`/admin${service.id(name)}/operations?api-version=admin`);
  return body.value.length;
}

/** Checks of the backend's effects on clusters that clients can observe. Each check has its number in the reference list. */
export const backendChecks: readonly Check[] = [
  {
    id: "backend 1",
    what: "a new cluster is Creating, and a worker takes it at once",
    async run() {
      const { cluster, taken } = theWorld().duringCreation;
      assert.equal(cluster?.body.properties.provisioningState, "Creating");
      assert.equal(taken?.body.status, "Creating");
      const { completedSteps, totalSteps } = taken.body.properties;
      assert.ok(completedSteps < totalSteps && totalSteps > 40, `${completedSteps} of ${totalSteps}`);
    },
  },
  {
    id: "backend 4",
    what: "a cluster whose creation fails is a failed creation, and can be deleted",
    async run(service) {
      const [, , name = ""] = failing;
      const { properties } = await shown(service, name);
      assert.deepEqual(
        [properties.provisioningState, properties.failedProvisioningState],
        ["Failed", "Creating"],
      );
      const deleted = await service.arm.delete(service.cluster(name));
      assertStatus(deleted, 202);
      assert.equal((await service.settle(deleted)).status, "Succeeded");
    },
  },
  {
    id: "backend 6",
    what: "of many writers of one cluster at once each waits for the one before, and nothing of anybody else's is lost",
    async run(service) {
      const patches = Array.from({ length: 8 }, (_, at) =>
        service.arm.patch(service.cluster("main"), { tags: { [`writer${at}`]: "was here" } }),
      );
      const responses = await Promise.all(patches);
      // A writer retries its update 100 ms after a conflict. By then, the conflicting update may have completed, so several
      // updates can succeed.
      const heard = responses.filter(({ status }) => status === 200);
      assert.ok(heard.length >= 1, responses.map(({ text }) => text).join("\n"));
      await Promise.all(heard.map((each) => service.settle(each)));
      const { body } = await service.arm.get(service.cluster("main"));
      const tags = heard.map((each) => JSON.stringify(each.body.tags));
      assert.ok(tags.includes(JSON.stringify(body.tags)), JSON.stringify(body.tags));
      assert.deepEqual(Object.values(body.tags), ["was here"]);
    },
  },
  {
    id: "backend 14",
    what: "names lead to the public or to the internal address of the API server, and to the router",
    async run(service) {
      const infraId = await infraIdOf(service, "main");
      const { properties } = await ofNetwork(service, "main", `publicIPAddresses/${infraId}-pip-v4`);
      assert.deepEqual(await service.addressesOf("api.main"), [properties.ipAddress]);
      const main = (await shown(service, "main")).properties;
      assert.deepEqual(await service.addressesOf("*.apps.main"), [main.ingressProfiles[0].ip]);
      const internal = await ofNetwork(
        service,
        "private",
        `loadBalancers/${await infraIdOf(service, "private")}-internal`,
      );
      const [frontend] = internal.properties.frontendIPConfigurations;
      assert.deepEqual(await service.addressesOf("api.private"), [frontend.properties.privateIPAddress]);
      const hidden = (await shown(service, "private")).properties;
      assert.deepEqual(await service.addressesOf("*.apps.private"), [hidden.ingressProfiles[0].ip]);
      assert.match(hidden.ingressProfiles[0].ip, /^10\./);
    },
  },
  {
    id: "backend 15",
    what: "a cluster has the objects of its kind, by name, and no others",
    async run(service) {
      const suffix = "[bcdfghjklmnpqrstvwxyz0-9]{10}";
      const common = (infraId: string) => [
        `loadBalancers/${infraId}-internal`,
        `networkSecurityGroups/${infraId}-nsg`,
        `privateLinkServices/${infraId}-pls`,
        `storageAccounts/cluster${suffix}`,
        `storageAccounts/imageregistry${suffix}`,
      ];
      const ofPublic = (infraId: string) => [
        `loadBalancers/${infraId}`,
        `publicIPAddresses/${infraId}-default-v4`,
        `publicIPAddresses/${infraId}-pip-v4`,
      ];
      // Matches resources that neither the backend nor the customer owns: the installer owns machines, and the service owns
      // private endpoints.
      const others = /^(virtualMachines|networkInterfaces|disks|privateEndpoints)\//;
      for (const { name, kinds } of [
        { name: "first", kinds: [common, ofPublic] },
        { name: "private", kinds: [common] },
      ]) {
        const infraId = await infraIdOf(service, name);
        const expected = kinds.flatMap((kind) => kind(infraId)).toSorted();
        const found = (await managedResources(service, name)).filter((each) => !others.test(each)).toSorted();
        assert.equal(found.length, expected.length, `${found}`);
        for (const [at, each] of expected.entries()) assert.match(found[at] ?? "", new RegExp(`^${each}$`));
      }
    },
  },
  {
    id: "backend 16",
    what: "the customer's kubeconfig is the administrator's, for a year",
    async run(service) {
      const { body } = await service.arm.post(service.cluster("main", newest, "/listAdminCredentials"));
      const text = Buffer.from(body.kubeconfig, "base64").toString();
      const [, data = ""] = /client-certificate-data"?: "?([A-Za-z0-9+/=]+)/.exec(text) ?? [];
      const { subject, validFrom, validTo } = new X509Certificate(Buffer.from(data, "base64"));
      assert.equal(subject, "CN=system:admin");
      const days = (Date.parse(validTo) - Date.parse(validFrom)) / 86_400_000;
      assert.ok(Math.abs(days - 365) <= 1, `${days} days`);
    },
  },
  {
    id: "backend 17",
    what: "a task of maintenance runs its own steps, and leaves the state it found",
    async run(service) {
      const everything = await maintain(service, "main", {});
      const one = await maintain(service, "main", { maintenanceTask: "OperatorUpdate" });
      assert.equal(one.response.body.properties.provisioningState, "AdminUpdating");
      assert.equal(one.operation.status, "Succeeded", JSON.stringify(one.operation));
      const { totalSteps } = one.operation.properties;
      assert.ok(totalSteps < everything.operation.properties.totalSteps);
      const { properties } = await shown(service, "main");
      assert.deepEqual([properties.provisioningState, properties.maintenanceState], ["Succeeded", "None"]);
    },
  },
  {
    id: "backend 18",
    what: "maintenance that is only announced queues nothing",
    async run(service) {
      const before = await operationCount(service, "main");
      const path = service.cluster("main", "admin");
      for (const [maintenanceTask, maintenanceState] of [
        ["Pending", "Pending"],
        ["None", "None"],
      ]) {
        const { status, headers, body } = await service.admin.patch(path, {
          properties: { maintenanceTask },
        });
        assert.deepEqual([status, headers["azure-asyncoperation"]], [200, undefined]);
        const { properties } = body;
        assert.deepEqual(
          [properties.provisioningState, properties.maintenanceState],
          ["Succeeded", maintenanceState],
        );
      }
      assert.equal(await operationCount(service, "main"), before);
    },
  },
  {
    id: "backend 19",
    what: "outbound addresses come and go, and the API server keeps its own",
    async run(service) {
      const infraId = await infraIdOf(service, "main");
      await updateOutboundIps(service, "main", 1);
      const before = await publicIps(service, "main");
      assert.deepEqual(before, [`${infraId}-default-v4`, `${infraId}-pip-v4`]);
      const more = await updateOutboundIps(service, "main", 5);
      assert.equal(more.operation.status, "Succeeded", JSON.stringify(more.operation));
      assert.equal((await outboundIps(service, "main")).length, 4);
      const { loadBalancerProfile } = (await shown(service, "main")).properties.networkProfile;
      assert.equal(loadBalancerProfile.effectiveOutboundIps.length, 5);
      const fewer = await updateOutboundIps(service, "main", 1);
      assert.equal(fewer.operation.status, "Succeeded", JSON.stringify(fewer.operation));
      assert.deepEqual(await publicIps(service, "main"), before);
    },
  },
  {
    id: "backend 27",
    what: "maintenance brings back what is missing of the operator",
    async run(service) {
      await using kube = await service.connectKube("main");
      const deployment = { namespace: operatorNamespace, name: "aro-operator-master" };
      const image = await imageOf(kube, deployment);
      const credentials = {
        namespace: "openshift-cloud-credential-operator",
        name: "openshift-azure-operator",
      };
      const { uid } = (await kube.get(resources.credentialsRequests, credentials, limit())).metadata;
      await kube.delete(resources.deployments, deployment, limit());
      await kube.delete(resources.credentialsRequests, credentials, limit());
      const { operation } = await maintain(service, "main", {});
      assert.equal(operation.status, "Succeeded", JSON.stringify(operation));
      assert.equal(await imageOf(kube, deployment), image);
      const made = await kube.get(resources.credentialsRequests, credentials, limit());
      assert.notEqual(made.metadata.uid, uid);
    },
  },
];

function limit(): AbortSignal {
  return AbortSignal.timeout(900_000);
}

async function imageOf(kube: KubeClient, key: { readonly namespace: string; readonly name: string }) {
  const { spec } = await kube.get(resources.deployments, key, limit());
  return Object(spec).template.spec.containers[0].image;
}
