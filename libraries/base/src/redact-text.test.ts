import assert from "node:assert/strict";
import { test } from "node:test";
import { redactText } from "./redact-text.ts";

const jwt = `${btoa('{"alg":"RS256"}').replace(/=+$/, "")}.${btoa('{"sub":"x"}').replace(/=+$/, "")}.c2lnbmF0dXJl`;

for (const [name, text, secret] of [
  ["a private key", "-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----", "MIIE"],
  ["a private key that is cut off", "key: -----BEGIN PRIVATE KEY-----\nMIIEabc", "MIIE"],
  ["a JSON web token", `got ${jwt} back`, "c2lnbmF0dXJl"],
  ["a token after other characters", `a.b.flag-${jwt}`, "c2lnbmF0dXJl"],
  ["a bearer token", "Authorization: Bearer 0123456789abcdef", "0123456789abcdef"],
  ["a token of OpenShift", "oc login --token=sha256~aBcDeFgHiJkLmNoPqRsTuV0123456789", "aBcDeFgHiJk"],
  ["a shared access signature", "https://a.blob.core.windows.net/c/b?sv=1&sig=q%2Bw%3D&se=2", "q%2Bw"],
  ["the key of a storage account", "AccountName=a;AccountKey=Zm9vYmFy==;Endpoint=x", "Zm9vYmFy"],
  ["the password of kubeadmin", 'user: "kubeadmin", and password: "aBc12-dEf34-gHi56-jKl78"', "aBc12"],
  ["the same, its quotes escaped", 'msg="password: \\"aBc12-dEf34\\""', "aBc12"],
  ["a client secret in JSON", '{"clientSecret":"s3cr3t~value"}', "s3cr3t"],
  ["a client secret in an environment", "AZURE_CLIENT_SECRET=s3cr3t~value rest", "s3cr3t"],
  ["the key of a kubeconfig", "    client-key-data: LS0tLS1CRUdJTg==", "LS0tLS1"],
  ["a pull secret", '{"auths":{"quay.io":{"auth":"dXNlcjpwYXNz"}}}', "dXNlcjpwYXNz"],
  ["ignition", `custom data ${"QUJD".repeat(100)}== end`, "QUJDQUJD"],
] as const) {
  test(`${name} is taken out`, () => {
    const left = redactText(text);
    assert.ok(!left.includes(secret), left);
    assert.match(left, /\[REDACTED\]/);
    assert.equal(redactText(left), left);
  });
}

test("text without secrets stays unchanged", () => {
  const text = [
    'level=info msg="Waiting up to 20m0s for the Kubernetes API at https://api.demo.example.org:6443..."',
    "Available=False reason=Installing: deployment has 0 of 2 replicas",
    "/subscriptions/11111111-1111-4111-8111-111111111111/resourceGroups/aro-demo",
    "[   12.345678] systemd[1]: Started kubelet.service",
  ].join("\n");
  assert.equal(redactText(text), text);
});

test("repeated prefixes of secrets are processed in linear time", () => {
  const { user } = process.cpuUsage();
  const beginnings = [
    ..."eyJ-;eyJa.;-eyJ_;-----BEGIN ;-----BEGIN PRIVATE KEY-----\n;secret\\;auth ;?sig=;AccountKey=;Bearer ;sha256~;A/".split(
      ";",
    ),
  ];
  for (const beginning of beginnings) redactText(beginning.repeat(1_048_576 / beginning.length));
  // Limits the CPU time to 10 s. An earlier pattern needed 60 s for 512 KiB of the first string.
  assert.ok(process.cpuUsage().user - user < 10_000_000);
});
