import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { resources } from "@keelson/kube";
import { condition, putClusterHistory, type TestCluster, testServers } from "../../testing/index.ts";
import { ingressCertificateChecker } from "./controller.ts";
import { judgeCertificate } from "./judge-certificate.ts";

const { ingressControllers, clusterVersions } = resources;
const managed = "demo.eastus.aroapp.io";
const custom = "demo.example.com";
const missing = (kind: string) => `missing ingress certificate for cluster with ${kind} domain`;
const wrong = "invalid ingress certificate name for cluster with managed domain";
const cases = [
  { domain: managed, certificate: undefined, fault: missing("managed") },
  { domain: "demo.usgov.aroapp.azure.us", certificate: undefined, fault: missing("managed") },
  { domain: custom, certificate: undefined, fault: missing("custom") },
  { domain: managed, certificate: { name: "other" }, fault: wrong },
  { domain: managed, certificate: {}, fault: wrong },
  { domain: custom, certificate: { name: "other" }, fault: undefined },
  { domain: managed, certificate: { name: "id-ingress" }, fault: undefined },
  { domain: custom, certificate: { name: "id-ingress" }, fault: undefined },
];
for (const { domain, certificate, fault } of cases)
  test(`the certificate ${JSON.stringify(certificate)} of ${domain}: ${fault ?? "in use"}`, () => {
    const ingressController = { spec: certificate ? { defaultCertificate: certificate } : {} };
    assert.equal(judgeCertificate({ domain, clusterId: "id", ingressController }), fault);
  });

for (const { name, start } of testServers) {
  describe(`the check of the ingress certificate on ${name}`, () => {
    let cluster: TestCluster;
    const key = { namespace: "openshift-ingress-operator", name: "default" };
    const says = (status: string, reason: string, message: string) =>
      cluster.eventually(async () =>
        assert.deepEqual(await condition(cluster, "DefaultIngressCertificate"), { status, reason, message }),
      );
    before(async () => {
      cluster = await start({ kinds: [ingressControllers, clusterVersions], spec: { domain: managed } });
      await cluster.start({ controllers: [ingressCertificateChecker] });
    });
    after(() => cluster[Symbol.asyncDispose]());

    test("follows ClusterVersion, IngressController and flag", async () => {
      await says(
        "False",
        "CheckFailed",
        'error getting the ClusterVersion: clusterversions.config.openshift.io "version" not found',
      );
      await putClusterHistory(cluster, { version: "4.19.24", state: "Completed" });
      await says("False", "CheckFailed", 'ingresscontrollers.operator.openshift.io "default" not found');
      await cluster.put(ingressControllers, { metadata: key, spec: { domain: `apps.${managed}` } });
      await says("False", "CheckFailed", missing("managed"));
      const defaultCertificate = { name: "9d0e8a5c-4a1c-4c34-9d4e-3f5d1a2b3c4d-ingress" };
      await cluster.put(ingressControllers, { metadata: key, spec: { defaultCertificate } });
      await says("True", "CheckDone", "Default ingress certificate is in use");
      await cluster.configure({ operatorflags: { "aro.checker.enabled": "false" } });
      await says("Unknown", "", "");
    });
  });
}
