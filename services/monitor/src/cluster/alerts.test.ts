import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { after, before, test } from "node:test";
import { createCertificateAuthority } from "@keelson/base";
import { connectKube, createKubeconfig, type KubeClient, KubeError, type ObjectKey } from "@keelson/kube";
import { alertOf, firingAlerts } from "./alert-manager.ts";
import { groups } from "./collectors/alerts.ts";

const { signal } = new AbortController();
const alert = (alertname: string, labels: object = {}) => ({
  labels: { alertname, severity: "warning", ...labels },
});
const firing = [
  alert("KubePodCrashLooping", { namespace: "openshift-monitoring" }),
  alert("KubePodCrashLooping", { namespace: "openshift-monitoring", severity: "critical" }),
  alert("KubePodCrashLooping", { namespace: "customer" }),
];

let alertmanager: Server;
let status = 200;
let body = JSON.stringify(firing);
/** Client that only parses responses. It never opens a connection. */
let reader: KubeClient;
before(async () => {
  const { certificatePem: caPem, privateKeyPem } = await createCertificateAuthority("test", 1);
  const kubeconfig = createKubeconfig({
    server: "https://localhost:1",
    caPem,
    clientCertificatePem: caPem,
    clientKeyPem: privateKeyPem,
    clusterName: "test",
    userName: "test",
  });
  const limits = { bytes: 1_000_000, tokens: 100_000 };
  reader = connectKube({
    kubeconfig,
    userAgent: "test",
    fieldManager: "test",
    reader: { name: "test", limits },
  });
  alertmanager = createServer((request, response) => {
    assert.equal(request.url, "/api/v2/alerts");
    response.writeHead(status).end(body);
  });
  await new Promise<void>((listening) => alertmanager.listen(0, "127.0.0.1", listening));
});
after(async () => {
  alertmanager.close();
  await reader[Symbol.asyncDispose]();
});

/** Creates a client of a cluster with several Alertmanager pods. Only the pods in `answering` respond. */
function kubeWith(...answering: readonly string[]): KubeClient {
  const { port } = alertmanager.address() as AddressInfo;
  const connectPort = async ({ name }: ObjectKey) => {
    if (!answering.includes(name)) throw new KubeError(404, "NotFound", `pods "${name}" not found`);
    return connect(port, "127.0.0.1");
  };
  const readJson: KubeClient["readJson"] = (...request) => reader.readJson(...request);
  return { connectPort, readJson } as Partial<KubeClient> as KubeClient;
}

test("acceptance 8: alerts are counted by name, those of customers only in total, from any replica", async () => {
  for (const replica of ["alertmanager-main-0", "alertmanager-main-2"]) {
    const found = await firingAlerts(kubeWith(replica), signal);
    assert.equal(found.length, 3);
    const labels = { alert: "KubePodCrashLooping", target: "", secondary_target: "" };
    assert.deepEqual(groups(found), [{ labels, severity: "critical", count: 2 }]);
  }
});

test("a status other than 200 is an error, and no further replica is queried", async () => {
  status = 500;
  await assert.rejects(firingAlerts(kubeWith("alertmanager-main-0", "alertmanager-main-1"), signal), {
    message: "alertmanager-main-0 returned status 500",
  });
  status = 200;
});

test("a failure names all unresponsive replicas", async () => {
  await assert.rejects(
    firingAlerts(kubeWith(), signal),
    /alertmanager-main-0: .*alertmanager-main-1: .*alertmanager-main-2: /,
  );
});

test("responses that are not alerts are rejected, labels that are not strings are ignored", async () => {
  const kube = kubeWith("alertmanager-main-0");
  const usual = body;
  body = "{}";
  await assert.rejects(firingAlerts(kube, signal), /no list of alerts/);
  body = "<html>";
  await assert.rejects(firingAlerts(kube, signal), { name: "KubeError", reason: "InvalidAnswer" });
  for (const large of [" ".repeat(1_000_001), `[${"0,".repeat(100_001)}0]`, `[${"{},".repeat(20_000)}{}]`]) {
    body = large;
    await assert.rejects(firingAlerts(kube, signal), { name: "KubeError", reason: "TooLarge" });
  }
  body = '[null, {"labels": {"target": 1, "severity": "c"}}]';
  assert.deepEqual(await firingAlerts(kube, signal), [new Map(), new Map([["severity", "c"]])]);
  body = usual;
});

test("alerts with both targets are counted by them, and customers' alerts are omitted", () => {
  const target = { target: "DiskPressure", secondary_target: "node-a" };
  const alerts = [
    alert("Node", target),
    alert("Node", target),
    alert("Node", { target: "DiskPressure" }),
    alert("ImagePruningDisabled"),
    alert("ImagePruningDisabledToo"),
    alert("UsingDeprecatedAPIv1"),
    alert("APIRemovedInNextReleaseInUse"),
  ].map(alertOf);
  assert.deepEqual(
    groups(alerts).map(({ labels, count }) => [labels.alert, labels.target, labels.secondary_target, count]),
    [
      ["Node", "DiskPressure", "node-a", 2],
      ["Node", "", "", 1],
      ["ImagePruningDisabledToo", "", "", 1],
    ],
  );
});
