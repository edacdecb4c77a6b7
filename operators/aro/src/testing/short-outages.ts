import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { resources } from "@keelson/kube";
import { type Fault, startUnwellFront, type UnwellFront } from "@keelson/operator-kit/testing";
import { banner } from "../controllers/banner/controller.ts";
import { clusterOperatorAro } from "../controllers/cluster-operator-aro/controller.ts";
import { rbac } from "../controllers/rbac/controller.ts";
import { condition, type TestCluster, type TestOperator, testServers } from "./index.ts";

const outageMs = 700;
export const outageRole = { name: "system:aro-sre" };
export const outageControllers = [banner, clusterOperatorAro, rbac];
export const nameOf = (fault: Fault) => ("code" in fault ? `${fault.code}` : fault.kind);

/** Defines tests with a short fault of the API server. The tests use the real clock. */
export function describeShortOutages(faults: readonly Fault[]): void {
  for (const { name: server, start } of testServers) {
    describe(`an API server that is not well, ${server}`, () => {
      let cluster: TestCluster;
      let operator: TestOperator;
      let front: UnwellFront;
      const found = () => cluster.api.find(resources.clusterRoles, outageRole, cluster.signal);
      before(async () => {
        cluster = await start({ kinds: [resources.consoleNotifications, resources.clusterOperators] });
        front = await startUnwellFront(cluster.kubeconfig);
        operator = await cluster.start({
          controllers: outageControllers,
          api: cluster.connect("aro-operator", front.kubeconfig),
        });
        await cluster.eventually(async () => assert.ok(await found()));
        await operator.quiet();
      });
      after(async () => {
        await cluster[Symbol.asyncDispose]();
        await front[Symbol.asyncDispose]();
      });

      for (const fault of faults)
        test(`${nameOf(fault)}: receives few requests, and the repair follows the recovery`, async () => {
          const before = front.asked;
          front.become(fault);
          await cluster.api.delete(resources.clusterRoles, outageRole, cluster.signal);
          await delay(outageMs);
          // A slow server still responds, so the repair may complete while the server is slow.
          if (fault.kind !== "slow") assert.equal(await found(), undefined);
          const asked = front.asked - before;
          assert.ok(asked < 60, `${asked} requests in ${outageMs} ms`);
          if (fault.kind !== "slow") front.become(undefined);
          await cluster.eventually(async () => assert.ok(await found()));
          await cluster.eventually(async () => {
            const { status, message } = await condition(cluster, "RBACControllerDegraded");
            assert.equal(status, "False", message);
          });
          front.become(undefined);
          await operator.quiet();
        });
    });
  }
}
