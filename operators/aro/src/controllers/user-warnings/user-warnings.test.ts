import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type JsonObject, stringAt } from "@keelson/base";
import { type KubeObject, resources } from "@keelson/kube";
import { tenantId } from "@keelson/sim-azure/testing";
import {
  condition,
  provesRepair,
  putMachineSet,
  securityGroupId,
  startTestSubscription,
  subnetId,
  subscriptionSpec,
  type TestCluster,
  type TestOperator,
  type TestSubscription,
  testServers,
} from "../../testing/index.ts";
import { userWarningsWith } from "./controller.ts";

const { consoleNotifications, nodes } = resources;
const intervals = { subnetsMs: 100, confirmMs: 50, failureMs: 100, secretMs: 100 };
const kinds = [consoleNotifications, resources.machines, resources.machineSets];
const fewWorkers = "Unsupported Cluster State: There needs to be at least 3 worker nodes running";

for (const { name, start } of testServers) {
  describe(`warnings for customers on ${name}`, () => {
    let cluster: TestCluster;
    let operator: TestOperator;
    let subscription: TestSubscription;
    const required = () => condition(cluster, "UserActionRequired");
    const shown = async () => {
      const { items } = await cluster.api.list(consoleNotifications, {}, cluster.signal);
      return items.map(({ metadata }) => metadata.name).toSorted();
    };
    const is = (reason: string, ...names: readonly string[]) =>
      cluster.eventually(async () => {
        assert.equal((await required()).reason, reason);
        assert.deepEqual(await shown(), names);
      });
    const worker = (name: string, taints: readonly JsonObject[] = []) =>
      cluster.put(nodes, {
        metadata: { name, labels: { "node-role.kubernetes.io/worker": "" } },
        spec: { taints },
      } as unknown as KubeObject);
    const setGroup = async (name: string) => {
      const subnet = await subscription.get(subnetId("worker"));
      const networkSecurityGroup = { id: securityGroupId(name) };
      await subscription.put(subnetId("worker"), {
        ...subnet,
        properties: { ...(subnet.properties as JsonObject), networkSecurityGroup },
      });
    };
    before(async () => {
      subscription = await startTestSubscription();
      cluster = await start({ kinds, spec: subscriptionSpec });
      await putMachineSet(cluster, "demo-worker", "worker");
      for (const each of ["worker-1", "worker-2"]) await worker(each);
      operator = await cluster.start({
        controllers: [userWarningsWith(intervals)],
        environment: { ...subscription.environment, ...(await expiringSecret(subscription)) },
      });
    });
    after(async () => {
      await cluster[Symbol.asyncDispose]();
      await subscription[Symbol.asyncDispose]();
    });

    test("two workers and a secret that expires are two warnings", async () => {
      await is(
        "TooFewWorkers::ExpiringCredentials",
        "aro-sre-expiring-credentials",
        "aro-sre-unsupported-condition",
      );
      const { status, message } = await required();
      assert.equal(status, "True");
      assert.match(
        message,
        new RegExp(`^${fewWorkers}\\nThe client secret .* ${subscription.principal.clientId} `),
      );
      const key = { name: "aro-sre-unsupported-condition" };
      const live = await cluster.api.get(consoleNotifications, key, cluster.signal);
      assert.equal(stringAt(live, "spec", "text"), fewWorkers);
    });

    test("a warning is repaired", async () => {
      await provesRepair(cluster, operator, {
        resource: consoleNotifications,
        key: { name: "aro-sre-unsupported-condition" },
        edit: { spec: { text: "All is well" } },
      });
    });

    test("it is removed with its cause", async () => {
      await worker("worker-3");
      await is("ExpiringCredentials", "aro-sre-expiring-credentials");
      await cluster.api.delete(nodes, { name: "worker-3" }, cluster.signal);
      await is(
        "TooFewWorkers::ExpiringCredentials",
        "aro-sre-expiring-credentials",
        "aro-sre-unsupported-condition",
      );
      await worker("worker-3", [{ key: "example.com/gpu", effect: "NoSchedule", value: "" }]);
      await is(
        "UnsupportedTaints::ExpiringCredentials",
        "aro-sre-expiring-credentials",
        "aro-sre-unsupported-taints",
      );
      await cluster.api.mergePatch(nodes, { name: "worker-3" }, { spec: { taints: null } }, cluster.signal);
      await is("ExpiringCredentials", "aro-sre-expiring-credentials");
    });

    test("a permanently foreign security group is one, unless the customer manages security groups", async () => {
      await setGroup("foreign-nsg");
      const both = ["aro-sre-expiring-credentials", "aro-sre-foreign-network-security-group"];
      await is("ForeignSecurityGroup::ExpiringCredentials", ...both);
      assert.match((await required()).message, /own: worker \(foreign-nsg\)\n/);
      await cluster.configure({ operatorflags: { "aro.azuresubnets.nsg.managed": "false" } });
      await is("ExpiringCredentials", "aro-sre-expiring-credentials");
      await cluster.configure({ operatorflags: { "aro.azuresubnets.nsg.managed": "true" } });
      await is("ForeignSecurityGroup::ExpiringCredentials", ...both);
      await setGroup("demo-x1x2x-nsg");
      await is("ExpiringCredentials", "aro-sre-expiring-credentials");
    });

    test("nothing is written while nothing changes", async () => {
      await operator.quiet();
      const before = await operator.writes();
      await worker("worker-3");
      await operator.quiet(400);
      assert.equal(await operator.writes(), before);
    });

    test("switched off it is Unknown, and nothing is shown", async () => {
      await cluster.configure({ operatorflags: { "aro.checker.enabled": "false" } });
      await is("");
      assert.equal((await required()).status, "Unknown");
    });

    test("without a response from Azure the condition is Unknown and other warnings remain", async () => {
      await operator[Symbol.asyncDispose]();
      await cluster.configure({ operatorflags: { "aro.checker.enabled": "true" } });
      operator = await cluster.start({ controllers: [userWarningsWith(intervals)] });
      await is("CheckFailed");
      assert.match((await required()).message, /AZURE_CLIENT_ID is not set/);
      assert.equal((await required()).status, "Unknown");
      await cluster.api.delete(nodes, { name: "worker-3" }, cluster.signal);
      await is("TooFewWorkers", "aro-sre-unsupported-condition");
      assert.equal((await condition(cluster, "UserWarningsControllerDegraded")).status, "False");
    });
  });
}

/** Adds a second secret to the operator's application. The secret expires in ten days. */
async function expiringSecret({ azure, principal }: TestSubscription) {
  const environment = {
    armEndpoint: azure.url,
    loginEndpoint: azure.url,
    audience: "https://graph.microsoft.com",
    caPem: azure.caPem,
  };
  const token = await azure.connect({ environment }).getToken(AbortSignal.timeout(900_000));
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const endDateTime = new Date(Date.now() + 10 * 86_400_000).toISOString();
  const body = JSON.stringify({ passwordCredential: { endDateTime } });
  const path = `/v1.0/applications(appId='${principal.clientId}')/addPassword`;
  const response = await azure.raw(path, { method: "POST", headers, body });
  assert.equal(response.status, 200, response.text);
  const secret = stringAt(response.json, "secretText") ?? "";
  return { AZURE_TENANT_ID: tenantId, AZURE_CLIENT_SECRET: secret, AZURE_GRAPH_ENDPOINT: azure.url };
}
