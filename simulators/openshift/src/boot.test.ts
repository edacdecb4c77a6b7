import assert from "node:assert/strict";
import { createPrivateKey } from "node:crypto";
import { request } from "node:https";
import { after, before, describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { createCertificateAuthority, type KeyPair } from "@keelson/base";
import { eventually } from "@keelson/base/testing/eventually";
import { resources } from "./base/resources.ts";
import { ignitionWithFiles, pointerIgnition } from "./installer/ignition.ts";
import { assertComplete } from "./testing/installed-cluster.ts";
import { infraId, TestWorld } from "./testing/installed-world.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");

describe("machines boot from Ignition", { timeout: 900_000 }, () => {
  let world: TestWorld;
  let signer: KeyPair;
  /** Boot files that only real installers create. One file contains an object of a kind that the simulation does not support. */
  let realFiles: Readonly<Record<string, string>>;
  before(async () => {
    signer = await createCertificateAuthority("kube-apiserver-lb-signer", 1, "rsa");
    const pkcs1 = createPrivateKey(signer.privateKeyPem).export({ type: "pkcs1", format: "pem" });
    realFiles = {
      "/opt/openshift/tls/kube-apiserver-lb-signer.crt": signer.certificatePem,
      "/opt/openshift/tls/kube-apiserver-lb-signer.key": pkcs1.toString(),
      "/opt/openshift/openshift/99_unknown.yaml":
        "apiVersion: unknown.example/v1\nkind: Unknown\nmetadata:\n  name: cluster\n",
      "/opt/openshift/manifests/own-namespace.yaml":
        "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  namespace: openshift-own\n  name: a\n---\n",
    };
    world = await TestWorld.start();
  });
  after(() => world?.[Symbol.asyncDispose]());

  const problems = () => world.simulated.bootProblems.map(({ parameters }) => parameters);
  const agentMessage = async (name: string) => {
    const { vmAgent } = await world.azure.compute.virtualMachines.instanceView("aro-demo", name);
    return vmAgent?.statuses?.[0]?.message ?? "";
  };

  test("a bootstrap machine without a usable configuration is shown, and a new one is accepted", async () => {
    const machine = `${infraId}-bootstrap`;
    await world.createMachine(machine, base64('{"ignition":{"version":"3.2.0"}}'));
    await eventually(async () => {
      assert.match(await agentMessage(machine), /no ConfigMap "cluster-config-v1"/);
      assert.equal(problems()[0]?.machine, machine);
    });
    await world.deleteMachine(machine);
    await eventually(() => assert.deepEqual(problems(), []));
  });

  test("the bootstrap machine fetches its configuration from a blob with a shared access signature", async () => {
    const { files, master } = await world.customData();
    const ignition = ignitionWithFiles({ ...files, ...realFiles });
    const source = await world.uploadBlob(gzipSync(ignition));
    const replace = { source, compression: "gzip" };
    const pointer = { ignition: { version: "3.2.0", config: { replace } } };
    await world.createMachine(`${infraId}-bootstrap`, base64(JSON.stringify(pointer)));
    for (const index of [0, 1, 2]) await world.createMachine(`${infraId}-master-${index}`, master);
    await eventually(() => assertComplete(world.client, 3));
    assert.deepEqual(problems(), []);
    const key = { namespace: "openshift-own", name: "a" };
    assert.ok(await world.client.find(resources.configMaps, key));
  });

  test("the API server is available at the cluster's own names", async () => {
    const { url, name: cluster } = world.cluster;
    const versionAt = (host: string, path: string) =>
      new Promise<string>((resolve, reject) => {
        const { hostname, port } = new URL(url);
        const options = { servername: host, ca: signer.certificatePem, agent: false };
        const outgoing = request({ hostname, port, path, ...options }, async (response) => {
          let text = "";
          for await (const chunk of response.setEncoding("utf8")) text += chunk;
          resolve(text);
        });
        outgoing.on("error", reject);
        outgoing.end();
      });
    for (const name of ["api", "api-int"])
      assert.match(await versionAt(`${name}.demo.eastus.keelson.localhost`, "/version"), /"minor": ?"32"/);
    await assert.rejects(versionAt("localhost", `/clusters/${cluster}/version`), /certificate/);
  });

  test("a machine that does not trust the machine config server does not become a node", async () => {
    const { certificatePem } = await createCertificateAuthority("other", 1);
    const name = `${infraId}-worker-unknown`;
    await world.createMachine(
      name,
      base64(pointerIgnition("api-int.demo.eastus.keelson.localhost", "worker", certificatePem)),
    );
    await eventually(async () =>
      assert.match(await agentMessage(name), /x509: certificate signed by unknown authority/),
    );
    assert.equal(await world.client.find(resources.nodes, { name }), undefined);
    await world.deleteMachine(name);
    await eventually(() => assert.deepEqual(problems(), []));
  });
});
