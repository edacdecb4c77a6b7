import assert from "node:assert/strict";
import type { Response } from "../support/arm-caller.ts";
import type { Check } from "../support/check.ts";
import { assertRefused, assertStatus } from "../support/expect.ts";
import { newest, type Service } from "../support/service.ts";
import { until } from "../support/until.ts";

const operatorNamespace = "openshift-azure-operator";

/** Returns the path of an admin action on the cluster `main`. */
function onMain(service: Service, action: string, query: Readonly<Record<string, string>> = {}): string {
  const parameters = new URLSearchParams({ ...query, "api-version": "admin" });
  return `/admin${service.id("main")}/${action}?${parameters}`;
}

function objects(service: Service, query: Readonly<Record<string, string>>): string {
  return onMain(service, "kubernetesobjects", query);
}

function mutate(service: Service, kind: string, namespace: string, name: string): Promise<Response> {
  const object = {
    apiVersion: "v1",
    kind,
    metadata: { name, namespace },
    ...(kind === "ConfigMap" ? { data: { a: "b" } } : {}),
  };
  return service.admin.post(objects(service, {}), object);
}

/** Checks of admin actions on clusters. */
export const adminChecks: readonly Check[] = [
  {
    id: "frontend 24",
    what: "a cluster whose API server does not answer is still shown as it was",
    async run(service) {
      const fault = await service.simulation("POST", "/faults", {
        kind: "api-error",
        cluster: "main",
        parameters: { resource: "*", verb: "*", code: 503, percent: 100 },
      });
      try {
        const { status, body } = await service.arm.get(service.cluster("main"));
        assert.deepEqual([status, body.properties.provisioningState], [200, "Succeeded"]);
        assert.match(body.properties.apiserverProfile.ip, /^\d+\.\d+\.\d+\.\d+$/);
      } finally {
        await service.simulation("DELETE", `/faults/${fault.id}`);
      }
    },
  },
  {
    id: "frontend 28",
    what: "objects of the platform are read and written, customers' and secrets are not",
    async run(service) {
      const { admin } = service;
      const query = { kind: "ConfigMap", namespace: operatorNamespace, name: "conformance" };
      assertStatus(await mutate(service, "ConfigMap", operatorNamespace, "conformance"), 200);
      const read = await admin.get(objects(service, query));
      assert.deepEqual([read.status, read.body.data], [200, { a: "b" }]);
      assertRefused(await admin.delete(objects(service, { ...query, force: "true" })), {
        status: 403,
        code: "Forbidden",
        message: "Force deleting groupKind 'ConfigMap' is forbidden.",
      });
      assertStatus(await admin.delete(objects(service, query)), 200);
      assert.equal((await admin.get(objects(service, query))).status, 404);
      const secret = { ...query, kind: "Secret" };
      const secretRefusal = { status: 403, code: "Forbidden", message: "Access to secrets is forbidden." };
      assertRefused(await admin.get(objects(service, secret)), secretRefusal);
      assertRefused(await mutate(service, "Secret", operatorNamespace, "conformance"), secretRefusal);
      const customer = { kind: "ConfigMap", namespace: "default" };
      assertRefused(await admin.get(objects(service, customer)), {
        status: 403,
        code: "Forbidden",
        message: "Access to the provided namespace 'default' is forbidden.",
      });
      assertStatus(await admin.get(objects(service, { ...customer, unrestricted: "true" })), 200);
      const pods = await admin.get(objects(service, { kind: "Pod", namespace: operatorNamespace }));
      const [pod] = pods.body.items;
      assert.ok(pod, pods.text.slice(0, 200));
      const forced = { kind: "Pod", namespace: operatorNamespace, name: pod.metadata.name, force: "true" };
      assertStatus(await admin.delete(objects(service, forced)), 200);
    },
  },
  {
    id: "frontend 29",
    what: "only what the cluster owns is deleted, and not what it cannot do without",
    async run(service) {
      const groups = `/subscriptions/${service.subscriptionId}/resourceGroups`;
      const managed = `${groups}/aro-main`.toLowerCase();
      const elsewhere = (id: string) =>
        `The resource ${id} is not within the cluster's managed resource group ${managed}.`;
      const refused = [
        {
          id: `${groups}/keelson-network/providers/Microsoft.Network/virtualNetworks/vnet/subnets/main-master`,
          says: elsewhere,
        },
        {
          id: `${groups}/aro-main/providers/Microsoft.Network/privateLinkServices/pls`,
          says: (id: string) => `deletion of resource ${id} is forbidden`,
        },
        { id: `${groups}/aro-main2/providers/Microsoft.Network/publicIPAddresses/x`, says: elsewhere },
      ];
      for (const { id, says } of refused) {
        const path = onMain(service, "deletemanagedresource", { managedResourceID: id });
        assertRefused(await service.admin.post(path), { code: "InvalidParameter", message: says(id) });
      }
    },
  },
  {
    id: "frontend 30a",
    what: "a command runs in a container, and its words come back",
    async run(service) {
      const pods = await service.admin.get(objects(service, { kind: "Pod", namespace: operatorNamespace }));
      const pod = pods.body.items.find(
        (each: { status: { phase: string } }) => each.status.phase === "Running",
      );
      const command = {
        namespace: operatorNamespace,
        podName: pod.metadata.name,
        container: pod.spec.containers[0].name,
        command: "echo hi",
      };
      const response = await service.admin.post(onMain(service, "exec"), command);
      assertStatus(response, 200);
      assert.match(String(response.headers["content-type"]), /^text\/plain/);
      assert.match(response.text, /hi[\s\S]*Done\./);
    },
  },
  {
    id: "frontend 30b",
    what: "a job that fails says so, and is gone",
    async run(service) {
      const job = {
        apiVersion: "batch/v1",
        kind: "Job",
        metadata: { name: "failing" },
        spec: {
          backoffLimit: 0,
          template: {
            spec: {
              restartPolicy: "Never",
              containers: [{ name: "c", image: "busybox", command: ["sh", "-c", "echo working; exit 3"] }],
            },
          },
        },
      };
      const response = await service.admin.post(onMain(service, "runjob"), job);
      assertStatus(response, 200);
      assert.match(response.text, /working[\s\S]*Job failed\.[\s\S]*Cleanup complete\./);
      // Waits until the Job no longer exists, because its deletion may complete after the response.
      await until(async () => {
        const query = { kind: "Job.batch", namespace: operatorNamespace };
        return (await service.admin.get(objects(service, query))).body.items.length === 0;
      });
    },
  },
  {
    id: "frontend 30c",
    what: "a cluster has masters 0 to 2",
    async run(service) {
      assertRefused(await service.admin.post(onMain(service, "ssh/newelevated"), { master: 3 }), {
        code: "InvalidParameter",
        target: "master",
        message: "master must be 0, 1, or 2.",
      });
    },
  },
  {
    id: "admin 1",
    what: "a long action can be started, and its result read later",
    async run(service) {
      const { body: group } = await service.admin.get(onMain(service, "resources"));
      const vm = group.find(
        (each: { type: string; name: string }) =>
          /virtualMachines$/i.test(each.type) && each.name.includes("worker"),
      );
      assert.ok(vm, "no worker among the resources");
      const begun = await service.admin.post(onMain(service, "redeployvm", { vmName: vm.name }), undefined, {
        prefer: "respond-async",
      });
      assertStatus(begun, 202);
      const location = String(begun.headers.location);
      await until(async () => {
        const { body } = await service.admin.get(location);
        if (body.state === "Succeeded") return true;
        assert.equal(body.state, "Running", JSON.stringify(body));
        return false;
      });
    },
  },
  {
    id: "admin 2",
    what: "a manifest of maintenance is carried out, and one with an unknown task is refused",
    async run(service) {
      const task = "b41749fc-af26-4ab7-b5a1-e03f3ee4cba6";
      const made = await service.admin.put(onMain(service, "maintenancemanifests"), {
        maintenanceTaskID: task,
      });
      assertStatus(made, 201);
      await until(async () => {
        const { body } = await service.admin.get(onMain(service, `maintenancemanifests/${made.body.id}`));
        if (body.state === "Completed") return true;
        assert.match(body.state, /^(Pending|InProgress)$/, JSON.stringify(body));
        return false;
      });
      const unknown = await service.admin.put(onMain(service, "maintenancemanifests"), {
        maintenanceTaskID: "00000000-0000-4000-8000-000000000000",
      });
      assertStatus(unknown, 400);
      assert.equal(unknown.body.error.target, "maintenanceTaskID");
    },
  },
  {
    id: "admin 3",
    what: "the history of a cluster's operations, newest first",
    async run(service) {
      const { status, body } = await service.admin.get(onMain(service, "operations"));
      assert.equal(status, 200);
      assert.ok(body.value.length >= 2);
      const starts = body.value.map((each: { startTime: string }) => each.startTime);
      assert.deepEqual(starts, starts.toSorted().reverse());
      assert.ok(body.value.every((each: { status: string }) => each.status === "Succeeded"));
    },
  },
  {
    id: "admin 4",
    what: "none of it is for Azure Resource Manager",
    async run(service) {
      for (const action of ["kubernetesobjects", "resources", "operations", "maintenancemanifests"]) {
        const response = await service.arm.get(`/admin${service.id("main")}/${action}?api-version=${newest}`);
        assertRefused(response, { status: 403, code: "Forbidden" });
      }
    },
  },
];
