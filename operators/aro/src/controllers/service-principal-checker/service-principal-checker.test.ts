import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { resources } from "@keelson/kube";
import {
  condition,
  putMachineSet,
  putMaster,
  startTestSubscription,
  subnetId,
  subscriptionSpec,
  type TestCluster,
  type TestOperator,
  type TestSubscription,
  testServers,
  vnetId,
} from "../../testing/index.ts";
import { servicePrincipalChecker } from "./controller.ts";

const kinds = [resources.machines, resources.machineSets];
const networkContributorRole = "4d97b98b-1d4f-4787-a291-c67834d212e7";
const type = "ServicePrincipalValid";
const valid = { status: "True", reason: "Validation Successful", message: "Service Principal is valid" };

for (const { name, start } of testServers) {
  describe(`the service principal on ${name}`, () => {
    let cluster: TestCluster;
    let operator: TestOperator;
    let subscription: TestSubscription;
    let assignment: string;
    const restart = async (environment: Readonly<Record<string, string>> = {}) => {
      await operator?.[Symbol.asyncDispose]();
      operator = await cluster.start({
        controllers: [servicePrincipalChecker],
        environment: { ...subscription.environment, ...environment },
      });
    };
    /** Changes the watched credentials Secret, so that a check starts immediately. */
    const recheck = () =>
      cluster.put(resources.secrets, {
        metadata: { namespace: "kube-system", name: "azure-credentials", labels: { at: `${Date.now()}` } },
      });
    const reads = (expected: object) =>
      cluster.eventually(async () => assert.deepEqual(await condition(cluster, type), expected));
    const denied = (what: string, action: string) =>
      `The cluster service principal (Application ID: ${subscription.principal.clientId}) does not have required permissions on ${what}. It lacks Microsoft.Network/virtualNetworks/${action}.`;
    before(async () => {
      subscription = await startTestSubscription([]);
      const { objectId } = subscription.principal;
      assignment = await subscription.azure.assign(objectId, { role: networkContributorRole });
      cluster = await start({ kinds, spec: subscriptionSpec });
      await putMachineSet(cluster, "workers", "worker");
      await putMaster(cluster, "master-0", "master");
      await restart();
    });
    after(async () => {
      await cluster[Symbol.asyncDispose]();
      await subscription[Symbol.asyncDispose]();
    });

    test("acceptance 1: a good service principal is valid", () => reads(valid));

    test("acceptance 3: Unknown without a reason while the checker is off", async () => {
      await cluster.configure({ operatorflags: { "aro.checker.enabled": "false" } });
      await reads({ status: "Unknown", reason: "", message: "" });
      await cluster.configure({ operatorflags: { "aro.checker.enabled": "true" } });
      await reads(valid);
    });

    test("a removed right is reported as missing and becomes valid again when granted", async () => {
      const { azure, principal } = subscription;
      await azure.arm("DELETE", `${assignment}?api-version=2022-04-01`);
      await recheck();
      await reads({
        status: "False",
        reason: "Service Principal invalid",
        message: [
          denied(`subnet '${subnetId("master")}'`, "subnets/join/action"),
          denied(`subnet '${subnetId("worker")}'`, "subnets/join/action"),
          denied(`vnet '${vnetId}'`, "join/action"),
        ].join("\n"),
      });
      assignment = await azure.assign(principal.objectId, { role: networkContributorRole });
      await recheck();
      await reads(valid);
    });

    test("the role that could change applications is forbidden", async () => {
      const { azure, principal } = subscription;
      azure.change({ graphRoles: { [principal.clientId]: ["Application.ReadWrite.OwnedBy"] } });
      await recheck();
      await reads({
        status: "False",
        reason: "Service Principal invalid",
        message: "The provided service principal must not have the Application.ReadWrite.OwnedBy permission.",
      });
      azure.change({ graphRoles: null });
      await recheck();
      await reads(valid);
    });

    test("the condition is Unknown while Azure does not respond", async () => {
      const { azure } = subscription;
      azure.change({
        faults: { down: { kind: "refused", service: "entra", status: 400, code: "temporarily_unavailable" } },
      });
      await recheck();
      await cluster.eventually(async () => {
        const { status, reason, message } = await condition(cluster, type);
        assert.deepEqual([status, reason], ["Unknown", "Validation Unavailable"]);
        assert.match(message, /^Unable to validate: /);
      });
      azure.change({ faults: null });
      await recheck();
      await reads(valid);
    });

    test("nothing is written while nothing changes", async () => {
      await operator.quiet();
      const before = await operator.writes();
      await recheck();
      await operator.quiet();
      assert.equal(await operator.writes(), before);
    });

    test("a wrong secret is invalid, in the words of the identity provider", async () => {
      await restart({ AZURE_CLIENT_SECRET: "wrong" });
      await cluster.eventually(async () => {
        const { status, reason, message } = await condition(cluster, type);
        assert.deepEqual([status, reason], ["False", "Service Principal invalid"]);
        assert.match(message, /^AADSTS7000215: /);
        assert.doesNotMatch(message, /Trace ID/);
      });
    });

    test("Unknown where the pod's environment has no credentials", async () => {
      await restart({ AZURE_CLIENT_ID: "" });
      await reads({
        status: "Unknown",
        reason: "Validation Unavailable",
        message:
          "Unable to validate: AZURE_CLIENT_ID is not set. In a pod, the Secret azure-cloud-credentials in the operator's namespace sets it",
      });
    });
  });
}
