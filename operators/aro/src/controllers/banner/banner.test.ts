import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { stringAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import {
  condition,
  provesRepair,
  type TestCluster,
  type TestOperator,
  testServers,
} from "../../testing/index.ts";
import { consoleNotification } from "./console-notification.ts";
import { banner } from "./controller.ts";

const { consoleNotifications } = resources;
const key = { name: "openshift-aro-sre" };

test("only an empty setting and ContactSupport are known", () => {
  assert.equal(consoleNotification("", "/id"), undefined);
  assert.match(stringAt(consoleNotification("ContactSupport", "/id"), "spec", "text") ?? "", /: \/id$/);
  assert.throws(() => consoleNotification("Other", "/id"), /^Error: wrong banner setting 'Other'$/);
});

for (const { name, start } of testServers) {
  describe(`the banner on ${name}`, () => {
    let cluster: TestCluster;
    let operator: TestOperator;
    const found = () => cluster.api.find(consoleNotifications, key, cluster.signal);
    before(async () => {
      cluster = await start({ kinds: [consoleNotifications] });
      operator = await cluster.start({ controllers: [banner] });
    });
    after(() => cluster[Symbol.asyncDispose]());

    test("is not shown while its flag is off", async () => {
      await cluster.configure({ banner: { content: "ContactSupport" } });
      await operator.quiet();
      assert.equal(await found(), undefined);
    });

    test("is shown, and repaired", async () => {
      await cluster.configure({ operatorflags: { "aro.banner.enabled": "true" } });
      await provesRepair(cluster, operator, {
        resource: consoleNotifications,
        key,
        edit: { spec: { color: "#fff" } },
      });
    });

    test("an unknown setting makes the controller Degraded and does not change the banner", async () => {
      await cluster.configure({ banner: { content: "Other" } });
      await cluster.eventually(async () =>
        assert.deepEqual(await condition(cluster, "BannerControllerDegraded"), {
          status: "True",
          reason: "ReconcileFailed",
          message: "wrong banner setting 'Other'",
        }),
      );
      assert.ok(await found());
    });

    test("is deleted when the setting is empty, and the controller recovers", async () => {
      await cluster.configure({ banner: { content: "" } });
      await cluster.eventually(async () => assert.equal(await found(), undefined));
      await cluster.eventually(async () =>
        assert.equal((await condition(cluster, "BannerControllerDegraded")).status, "False"),
      );
    });
  });
}
