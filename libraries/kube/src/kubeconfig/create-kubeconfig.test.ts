import assert from "node:assert/strict";
import { createPrivateKey, generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import { Secret } from "@keelson/base";
import { parse } from "yaml";
import { connectKube, createKubeconfig, KubeError, kubeconfigWithToken } from "../index.ts";

const request = {
  server: "https://localhost:6443/clusters/a",
  caPem: "CA",
  clientCertificatePem: "CERT",
  clientKeyPem: "KEY",
  clusterName: "a",
  userName: "admin",
};

test("a kubeconfig has one current context, with its data in base64", () => {
  const config: unknown = parse(createKubeconfig(request));
  assert.deepEqual(config, {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "a", cluster: { server: request.server, "certificate-authority-data": "Q0E=" } }],
    users: [{ name: "admin", user: { "client-certificate-data": "Q0VSVA==", "client-key-data": "S0VZ" } }],
    contexts: [{ name: "admin", context: { cluster: "a", user: "admin" } }],
    "current-context": "admin",
    preferences: {},
  });
});

test("without a CA the kubeconfig has no certificate-authority field", () => {
  const { caPem: _, ...rest } = request;
  assert.doesNotMatch(createKubeconfig(rest), /certificate-authority/);
});

test("a token takes the place of the user, for the same server", () => {
  const config = parse(kubeconfigWithToken(createKubeconfig(request), new Secret("t0ken")));
  assert.deepEqual(config.clusters[0].cluster, {
    server: request.server,
    "certificate-authority-data": "Q0E=",
  });
  assert.deepEqual(config.users[0].user, { token: "t0ken" });
});

test("a kubeconfig without a cluster is refused at once", () => {
  const options = { userAgent: "test/1", fieldManager: "test" };
  assert.throws(() => connectKube({ ...options, kubeconfig: "apiVersion: v1\nkind: Config\n" }), KubeError);
  const connected = connectKube({ ...options, kubeconfig: createKubeconfig(request) });
  assert.equal(connected.server, request.server);
});

test("an elliptic curve key is written in the format from which fabric8 detects its type, an RSA key unchanged", () => {
  const written = (clientKeyPem: string) => {
    const { users } = parse(createKubeconfig({ ...request, clientKeyPem }));
    return Buffer.from(users[0].user["client-key-data"], "base64").toString();
  };
  const pem = { type: "pkcs8", format: "pem" } as const;
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const ec = written(privateKey.export(pem).toString());
  assert.match(ec, /^-----BEGIN EC PRIVATE KEY-----/);
  assert.ok(createPrivateKey(ec).equals(privateKey));
  const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export(pem).toString();
  assert.equal(written(rsa), rsa);
});
