import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { scalarStringAt } from "@keelson/apimachinery";
import { type KeyPair, listAt, valueAt } from "@keelson/base";
import { until } from "@keelson/base/testing/eventually";
import { type Response, TestServer } from "../testing/test-server.ts";

const group = "certificates.k8s.io";
const path = `/apis/${group}/v1/certificatesigningrequests`;
const rbac = "/apis/rbac.authorization.k8s.io/v1";
const client = "kubernetes.io/kube-apiserver-client";
const clientUsages = ["digital signature", "client auth"];

const directory = mkdtempSync(join(tmpdir(), "csr-"));
let server: TestServer;
let bob: KeyPair;
before(async () => {
  server = await TestServer.start();
  bob = await server.user({ commonName: "bob", organizations: ["builders"] });
  await grant(
    "requesters",
    [{ apiGroups: [group], resources: ["certificatesigningrequests"], verbs: ["create", "get"] }],
    "builders",
  );
});
after(async () => {
  await server[Symbol.asyncDispose]();
  rmSync(directory, { recursive: true });
});

async function grant(name: string, rules: readonly object[], to: string): Promise<void> {
  const metadata = { name };
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name };
  const subjects = [{ apiGroup: "rbac.authorization.k8s.io", kind: "Group", name: to }];
  const role = await server.call("POST", `${rbac}/clusterroles`, { body: { metadata, rules } });
  const bound = await server.call("POST", `${rbac}/clusterrolebindings`, {
    body: { metadata, roleRef, subjects },
  });
  assert.deepEqual([role.status, bound.status], [201, 201]);
}

/** Creates a certificate request and its key with openssl. */
function openssl(subject: string, names?: string): { readonly request: string; readonly key: string } {
  const keyFile = join(directory, "key.pem");
  const args = [
    "req",
    "-new",
    "-nodes",
    "-newkey",
    "ec",
    "-pkeyopt",
    "ec_paramgen_curve:P-256",
    "-keyout",
    keyFile,
  ];
  const extension = names ? ["-addext", `subjectAltName=${names}`] : [];
  const request = execFileSync("openssl", [...args, "-subj", subject, ...extension], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  return { request: request.toString("base64"), key: readFileSync(keyFile, "utf8") };
}

interface Wanted {
  readonly subject?: string;
  readonly names?: string;
  readonly spec?: object;
  readonly user?: KeyPair;
}

async function ask(
  name: string,
  wanted: Wanted = {},
): Promise<{ readonly response: Response; readonly key: string }> {
  const { request, key } = openssl(wanted.subject ?? "/O=readers/CN=jane", wanted.names);
  const spec = { request, signerName: client, usages: clientUsages, ...wanted.spec };
  const body = { metadata: { name }, spec };
  return { response: await server.call("POST", path, { user: wanted.user ?? server.admin, body }), key };
}

async function decide(name: string, type: "Approved" | "Denied", user = server.admin): Promise<Response> {
  const current = (await server.call("GET", `${path}/${name}`)).body;
  const condition = { type, status: "True", reason: "Test", message: "by a test" };
  const conditions = [...listAt(current, "status", "conditions"), condition];
  const body = { ...Object(current), status: { conditions } };
  return server.call("PUT", `${path}/${name}/approval`, { user, body });
}

async function certificateOf(name: string): Promise<string> {
  let found = "";
  await until(async () => {
    const { body } = await server.call("GET", `${path}/${name}`);
    found = scalarStringAt(body, "status", "certificate");
    return found !== "";
  });
  return Buffer.from(found, "base64").toString();
}

async function conditionsOf(name: string): Promise<readonly string[]> {
  const { body } = await server.call("GET", `${path}/${name}`);
  return listAt(body, "status", "conditions").map(
    (each) => `${scalarStringAt(each, "type")}: ${scalarStringAt(each, "message")}`,
  );
}

test("an approved request is signed by the cluster, and its certificate authenticates", async () => {
  const { response, key } = await ask("jane", { spec: { expirationSeconds: 3_600 }, user: bob });
  assert.equal(response.status, 201, response.text);
  assert.equal(valueAt(response.body, "spec", "username"), "bob");
  assert.deepEqual(valueAt(response.body, "spec", "groups"), ["builders", "system:authenticated"]);
  assert.deepEqual(await conditionsOf("jane"), []);
  assert.equal((await decide("jane", "Approved")).status, 200);
  const certificatePem = await certificateOf("jane");
  const certificate = new X509Certificate(certificatePem);
  const minutes = (certificate.validToDate.getTime() - Date.now()) / 60_000;
  assert.ok(minutes > 59 && minutes <= 60, `${minutes}`);
  const jane = { certificatePem, privateKeyPem: key };
  const self = await server.call("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", {
    user: jane,
    body: {},
  });
  assert.equal(valueAt(self.body, "status", "userInfo", "username"), "jane");
  assert.deepEqual(valueAt(self.body, "status", "userInfo", "groups"), ["readers", "system:authenticated"]);
  assert.equal((await server.call("GET", "/api/v1/nodes", { user: jane })).status, 403);
});

test("the server sets the author of a request, and its spec is immutable", async () => {
  const spec = { username: "system:admin", groups: ["system:masters"], uid: "1" };
  const { response } = await ask("liar", { spec, user: bob });
  assert.equal(valueAt(response.body, "spec", "username"), "bob");
  assert.ok(!response.text.includes("system:masters"));
  const body = { spec: { signerName: "example.com/other" }, status: { certificate: "eA==" } };
  const headers = { "content-type": "application/merge-patch+json" };
  const patched = await server.call("PATCH", `${path}/liar`, { body, headers });
  assert.equal(patched.status, 200);
  assert.equal(valueAt(patched.body, "spec", "signerName"), client);
  assert.equal(valueAt(patched.body, "status", "certificate"), undefined);
});

test("a denied request is never signed and cannot be approved", async () => {
  await ask("denied");
  assert.equal((await decide("denied", "Denied")).status, 200);
  const both = await decide("denied", "Approved");
  assert.equal(both.status, 422);
  assert.match(scalarStringAt(both.body, "message"), /Approved and Denied conditions are mutually exclusive/);
  assert.deepEqual(await conditionsOf("denied"), ["Denied: by a test"]);
});

test("approval and signing need permissions for the signer", async () => {
  const rights = ["certificatesigningrequests/approval", "certificatesigningrequests/status"];
  await grant(
    "approvers",
    [{ apiGroups: [group], resources: rights, verbs: ["update", "patch"] }],
    "approvers",
  );
  const approver = await server.user({ commonName: "ann", organizations: ["approvers"] });
  await ask("guarded", { spec: { signerName: "example.com/own" } });
  const refused = await decide("guarded", "Approved", approver);
  assert.equal(refused.status, 403);
  assert.equal(
    scalarStringAt(refused.body, "message"),
    `certificatesigningrequests.${group} "guarded" is forbidden: user not permitted to approve requests with signerName "example.com/own"`,
  );
  const patch = (status: object) =>
    server.call("PATCH", `${path}/guarded/status`, {
      user: approver,
      body: { status },
      headers: { "content-type": "application/merge-patch+json" },
    });
  assert.match(
    scalarStringAt((await patch({ certificate: "eA==" })).body, "message"),
    /not permitted to sign requests/,
  );
  const signers = {
    apiGroups: [group],
    resources: ["signers"],
    resourceNames: ["example.com/*"],
    verbs: ["approve", "sign"],
  };
  await grant("signers", [signers], "approvers");
  assert.equal((await decide("guarded", "Approved", approver)).status, 200);
  const conditions = [{ type: "Denied", status: "True" }];
  assert.match(
    scalarStringAt((await patch({ conditions })).body, "message"),
    /updates may not (add|remove) a condition of type/,
  );
  const certificate = Buffer.from(server.authority.certificatePem).toString("base64");
  assert.equal((await patch({ certificate })).status, 200);
  assert.match(
    scalarStringAt((await patch({ certificate: "eA==" })).body, "message"),
    /may not modify existing certificate content/,
  );
});

test("requests that a signer must reject fail", async () => {
  await ask("no-node", {
    spec: { signerName: "kubernetes.io/kubelet-serving", usages: ["digital signature", "server auth"] },
  });
  await ask("wrong-usage", { spec: { usages: ["server auth"] } });
  for (const [name, message] of [
    ["no-node", "Failed: subject organization is not system:nodes"],
    ["wrong-usage", "Failed: invalid usage for client certificate: server auth"],
  ] as const) {
    await decide(name, "Approved");
    await until(async () => (await conditionsOf(name)).length === 2);
    assert.equal((await conditionsOf(name))[1], message);
  }
});

test("a kubelet's client certificate is approved automatically with permission, and serving certificates after manual approval", async () => {
  const spec = { signerName: "kubernetes.io/kube-apiserver-client-kubelet", usages: clientUsages };
  const subject = "/O=system:nodes/CN=system:node:w1";
  await ask("by-stranger", { subject, spec, user: bob });
  await grant(
    "bootstrap",
    [
      {
        apiGroups: [group],
        resources: ["certificatesigningrequests", "certificatesigningrequests/nodeclient"],
        verbs: ["create"],
      },
    ],
    "bootstrappers",
  );
  const bootstrapper = await server.user({ commonName: "token", organizations: ["bootstrappers"] });
  const { key } = await ask("node", { subject, spec, user: bootstrapper });
  const kubelet = { certificatePem: await certificateOf("node"), privateKeyPem: key };
  assert.deepEqual(await conditionsOf("node"), [
    "Approved: Auto approving kubelet client certificate after SubjectAccessReview.",
  ]);
  assert.deepEqual(await conditionsOf("by-stranger"), []);
  assert.equal((await server.call("GET", "/api/v1/nodes", { user: kubelet })).status, 200);
  const serving = {
    signerName: "kubernetes.io/kubelet-serving",
    usages: ["digital signature", "server auth"],
  };
  await ask("serving", { subject, names: "DNS:w1,IP:10.0.0.4", spec: serving, user: kubelet });
  await decide("serving", "Approved");
  assert.match(new X509Certificate(await certificateOf("serving")).subjectAltName ?? "", /DNS:w1/);
});

const wrong: Readonly<Record<string, readonly [wanted: Wanted, status: number, message: RegExp]>> = {
  "no request": [
    { spec: { request: "eA==" } },
    422,
    /spec.request: Invalid value: .*: PEM block type must be CERTIFICATE REQUEST/,
  ],
  "no usages": [{ spec: { usages: [] } }, 422, /spec.usages: Required value/],
  "unknown usage": [{ spec: { usages: ["all"] } }, 422, /spec.usages\[0\]: Unsupported value: "all"/],
  "no signer's name": [{ spec: { signerName: "simple" } }, 422, /spec.signerName: Invalid value: "simple"/],
  "too short": [
    { spec: { expirationSeconds: 599 } },
    422,
    /may not specify a duration less than 600 seconds/,
  ],
  superuser: [
    { subject: "/O=system:masters/CN=me" },
    403,
    /use of kubernetes.io\/kube-apiserver-client signer with system:masters group is not allowed/,
  ],
};
test("invalid requests are rejected with the reason", async () => {
  for (const [title, [wanted, status, message]] of Object.entries(wrong)) {
    const { response } = await ask("wrong", wanted);
    assert.match(scalarStringAt(response.body, "message"), message, title);
    assert.equal(response.status, status, title);
  }
});
