import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { stringAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import { webhookUrl } from "../../customer-yaml/edits/webhook-receivers.ts";
import {
  condition,
  provesRepair,
  type TestCluster,
  type TestOperator,
  testServers,
} from "../../testing/index.ts";
import { alertWebhook } from "./controller.ts";

const { secrets } = resources;
const key = { namespace: "openshift-monitoring", name: "alertmanager-main" };
const member = "alertmanager.yaml";
const critical = "- name: Critical # on call\n  webhook_configs:\n  - url: https://example.com\n";
const unset = `receivers:\n- name: Default\n${critical}`;
const set = `receivers:\n- name: Default\n  webhook_configs:\n  - url: ${webhookUrl}\n${critical}`;
const encode = (text: string) => Buffer.from(text).toString("base64");

for (const { name, start } of testServers) {
  describe(`Alertmanager's receivers on ${name}`, () => {
    let cluster: TestCluster;
    let operator: TestOperator;
    const write = (text: string) =>
      cluster.put(secrets, { metadata: key, data: { [member]: encode(text), other: encode("kept") } });
    const text = async () => {
      const live = await cluster.api.get(secrets, key, cluster.signal);
      assert.equal(stringAt(live, "data", "other"), encode("kept"));
      return Buffer.from(stringAt(live, "data", member) ?? "", "base64").toString();
    };
    const degraded = () => condition(cluster, "AlertwebhookControllerDegraded");
    before(async () => {
      cluster = await start({ kinds: [] });
      await cluster.put(resources.namespaces, { metadata: { name: key.namespace } });
      operator = await cluster.start({ controllers: [alertWebhook] });
    });
    after(() => cluster[Symbol.asyncDispose]());

    test("a missing Alertmanager is not a failure", async () => {
      await cluster.eventually(async () => assert.equal((await degraded()).status, "False"));
    });

    test("acceptance 7: Default without a webhook gets the operator's, Critical is not changed", async () => {
      await write(unset);
      await cluster.eventually(async () => assert.equal(await text(), set));
    });

    test("an edit is undone", () =>
      provesRepair(cluster, operator, {
        resource: secrets,
        key,
        edit: { data: { [member]: encode(unset) } },
        recreated: false,
      }));

    test("follows the flag", async () => {
      await cluster.configure({ operatorflags: { "aro.alertwebhook.enabled": "false" } });
      await operator.quiet();
      await write(unset);
      await operator.quiet();
      assert.equal(await text(), unset);
      await cluster.configure({ operatorflags: { "aro.alertwebhook.enabled": "true" } });
      await cluster.eventually(async () => assert.equal(await text(), set));
    });

    test("an unreadable configuration is Degraded and not changed", async () => {
      await write("receivers: [secret");
      await cluster.eventually(async () => {
        const { status, message } = await degraded();
        assert.equal(status, "True");
        assert.match(
          message,
          /^alertmanager\.yaml in Secret openshift-monitoring\/alertmanager-main is not valid YAML: /,
        );
        assert.doesNotMatch(message, /secret$/);
      });
      assert.equal(await text(), "receivers: [secret");
      await write(unset);
      await cluster.eventually(async () => assert.equal(await text(), set));
      await cluster.eventually(async () => assert.equal((await degraded()).status, "False"));
    });
  });
}
