import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { KubeObject } from "@keelson/apiserver";
import {
  createCertificateAuthority,
  isCoded,
  issueCertificate,
  type KeyPair,
  systemClock,
} from "@keelson/base";
import { ApiWorld } from "../apis/testing/api-world.ts";
import { configMap, tlsSecret } from "../base/data-objects.ts";
import { ensureObject } from "../base/objects.ts";
import { resources } from "../base/resources.ts";
import { machineConfigServer } from "./machine-config-server.ts";

const domain = "demo.eastus.keelson.localhost";
const operator = "openshift-machine-config-operator";
let world: ApiWorld;
let root: KeyPair;

before(async () => {
  world = await ApiWorld.start();
  root = await createCertificateAuthority("root-ca", 1);
  const server = await issueCertificate(root, {
    commonName: "system:machine-config-server",
    dnsNames: [`api-int.${domain}`],
    ipAddresses: ["10.0.0.254"],
    usage: "server",
    validDays: 1,
  });
  const { client } = world;
  for (const name of [operator, "kube-system"])
    await ensureObject(client, resources.namespaces, {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name },
    });
  await ensureObject(client, resources.secrets, tlsSecret(operator, "machine-config-server-tls", server));
  const rootCa = configMap("kube-system", "root-ca", { "ca.crt": root.certificatePem });
  await ensureObject(client, resources.configMaps, rootCa);
  await ensureObject(client, resources.machineConfigs, machineConfig);
  await ensureObject(client, resources.machineConfigPools, pool("worker"));
  await ensureObject(client, resources.machineConfigPools, {
    ...pool("master"),
    status: { configuration: { name: machineConfig.metadata.name } },
  });
});
after(() => world[Symbol.asyncDispose]());

const machineConfig: KubeObject = {
  apiVersion: "machineconfiguration.openshift.io/v1",
  kind: "MachineConfig",
  metadata: { name: "rendered-master-1" },
  spec: { config: { ignition: { version: "3.4.0" }, storage: { files: [] } } },
};

function pool(name: string): KubeObject {
  return {
    apiVersion: "machineconfiguration.openshift.io/v1",
    kind: "MachineConfigPool",
    metadata: { name },
    spec: {},
  };
}

async function fetch(url: string, authorities: readonly string[] = [root.certificatePem]) {
  const signal = new AbortController().signal;
  const serve = machineConfigServer({ client: world.client, domain, clock: systemClock });
  const request = { url: new URL(url), headers: {}, authorities, maxBytes: 1_000, signal };
  return JSON.parse((await serve(request)).toString());
}

test("a pool's machines receive its rendered configuration, by name and by address", async () => {
  for (const host of [`api-int.${domain}`, "10.0.0.254"])
    assert.deepEqual(await fetch(`https://${host}:22623/config/master`), {
      ignition: { version: "3.4.0" },
      storage: { files: [] },
    });
});

test("a pool without a rendered configuration yields an empty one", async () => {
  assert.deepEqual(await fetch(`https://api-int.${domain}:22623/config/worker`), {
    ignition: { version: "3.2.0" },
  });
});

test("a pointer of an earlier release without CAs is served", async () => {
  assert.ok(await fetch(`https://api-int.${domain}:22623/config/worker`, []));
});

for (const [name, url, message] of [
  ["an unknown pool", `https://api-int.${domain}:22623/config/infra`, /HTTP status 404/],
  ["a different name", `https://api.${domain}:22623/config/master`, /no such host/],
  ["a different address", "https://10.0.0.253:22623/config/master", /no such host/],
] as const)
  test(`${name} is rejected`, async () => {
    await assert.rejects(
      fetch(url),
      (error) => isCoded(error, "IgnitionUnavailable") && message.test(error.message),
    );
  });

test("a machine that trusts a different CA rejects the server", async () => {
  const { certificatePem } = await createCertificateAuthority("root-ca", 1);
  await assert.rejects(
    fetch(`https://api-int.${domain}:22623/config/master`, [certificatePem]),
    /x509: certificate signed by unknown authority/,
  );
});
