import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "@keelson/kube";
import { virtualResourceCondition } from "./virtual-resources.ts";
import {
  admissionServices,
  conversionServices,
  type WebhookService,
  webhookCondition,
} from "./webhook-services.ts";

const signal = new AbortController().signal;
const configuration = (webhooks: readonly object[], annotations = {}): KubeObject => ({
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: "MutatingWebhookConfiguration",
  metadata: { name: "c", annotations },
  webhooks,
});
const webhook = (name: string, more: object = {}) => ({
  name,
  clientConfig: { service: { namespace: "ns", name }, caBundle: "Q0E=" },
  ...more,
});
const judge = (
  services: readonly WebhookService[],
  present: readonly string[],
  refused: readonly string[] = [],
) =>
  webhookCondition(
    "T",
    services,
    ({ service }) => present.includes(service),
    async ({ service }) => {
      if (refused.includes(service)) throw new Error("refused");
    },
    signal,
  );

test("available services that respond cause no error", async () => {
  const services = admissionServices(
    configuration([webhook("a"), { name: "url", clientConfig: { url: "https://x" } }]),
  );
  assert.deepEqual(await judge(services, ["a"]), { type: "T", status: "False" });
  assert.deepEqual(
    services.map(({ port, authorities, timeoutMs }) => [port, authorities, timeoutMs]),
    [[443, "CA", 10_000]],
  );
});

test("missing and unresponsive services are named, except ignored ones", async () => {
  const services = admissionServices(
    configuration([webhook("a"), webhook("b"), webhook("c", { failurePolicy: "Ignore" })]),
  );
  const missing = await judge(services, ["b"]);
  assert.deepEqual(
    [missing.reason, missing.message],
    ["WebhookServiceNotFound", 'a: unable to find service a.ns: service "a" not found'],
  );
  assert.equal((await judge(services, ["a", "b"], ["b"])).reason, "WebhookServiceConnectionError");
  assert.equal((await judge(services, ["b"], ["b"])).reason, "WebhookServiceNotReady");
});

test("a conversion webhook is not dialled until its CA bundle has been injected", async () => {
  const definition = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "crd", annotations: { "service.beta.openshift.io/inject-cabundle": "true" } },
    spec: { conversion: { webhook: { clientConfig: { service: { namespace: "ns", name: "s" } } } } },
  };
  const { message } = await judge(conversionServices(definition), ["s"]);
  assert.match(message ?? "", /^crd: the caBundle of the webhook.* is empty$/);
});

test("webhooks that match reviews are named with them", () => {
  const rule = (apiGroups: readonly string[], resources: readonly string[]) => [
    { apiGroups, apiVersions: ["v1"], resources },
  ];
  const one = configuration([webhook("one", { rules: rule([""], ["bindings/x"]) })]);
  const all = configuration([
    webhook("all", { rules: rule(["*"], ["*"]) }),
    webhook("none", { rules: rule([""], ["pods"]) }),
  ]);
  assert.deepEqual(virtualResourceCondition([], [configuration([])]), {
    type: "VirtualResourceAdmissionError",
    status: "False",
  });
  const { reason, message = "" } = virtualResourceCondition([one], [all]);
  assert.equal(reason, "AdmissionWebhookMatchesVirtualResource");
  assert.match(message, /^Mutating webhook one matches a virtual resource bindings\/v1\.$/m);
  assert.match(
    message,
    /^Validating webhook all matches multiple virtual resources: bindings\/v1, localresourceaccessreviews\.authorization\.openshift\.io\/v1, /m,
  );
});
