import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { KubeObject } from "@keelson/apiserver";
import { createCertificateRequest, listAt, stringAt } from "@keelson/base";
import { eventually } from "@keelson/base/testing/eventually";
import { resources } from "../../base/resources.ts";
import { installed } from "../../testing/installed-cluster.ts";
import { infraId, type TestWorld } from "../../testing/installed-world.ts";

const bootstrapper = "system:serviceaccount:openshift-machine-config-operator:node-bootstrapper";
const node = `${infraId}-master-0`;
const nodeUser = `system:node:${node}`;
let world: TestWorld;

before(async () => {
  world = await installed({ workers: 2 });
});
after(() => world[Symbol.asyncDispose]());

interface Asked {
  readonly requester: string;
  readonly commonName?: string;
  readonly signer?: "client" | "serving";
  readonly dnsNames?: readonly string[];
}

async function request(
  name: string,
  { requester, commonName = nodeUser, signer = "client", dnsNames = [] }: Asked,
) {
  const isServing = signer === "serving";
  const pem = await createCertificateRequest({
    commonName,
    organizations: ["system:nodes"],
    dnsNames,
    ipAddresses: [],
  });
  const user = { name: requester, groups: ["system:authenticated"] };
  const object: KubeObject = {
    apiVersion: "certificates.k8s.io/v1",
    kind: "CertificateSigningRequest",
    metadata: { name },
    spec: {
      request: Buffer.from(pem).toString("base64"),
      signerName: isServing ? "kubernetes.io/kubelet-serving" : "kubernetes.io/kube-apiserver-client-kubelet",
      usages: ["digital signature", isServing ? "server auth" : "client auth"],
    },
  };
  await world.cluster.clientAs({ user }).create(resources.certificateRequests, object);
}

const find = (name: string) => world.client.get(resources.certificateRequests, { name });

test("each node has a client and a serving certificate, approved for its machine", async () => {
  await eventually(async () => {
    const { items } = await world.client.list(resources.certificateRequests);
    const issued = items.filter((each) => stringAt(each, "status", "certificate"));
    assert.equal(issued.length, 10);
    const nodes = (await world.client.list(resources.nodes)).items;
    const requesters = [bootstrapper, ...nodes.map(({ metadata }) => `system:node:${metadata.name}`)];
    assert.deepEqual(new Set(items.map((each) => stringAt(each, "spec", "username"))), new Set(requesters));
  });
});

test("requests of kubelets are approved for machines of the cluster only", async () => {
  const rows: readonly (readonly [name: string, asked: Asked, approved: boolean])[] = [
    ["joins", { requester: bootstrapper }, true],
    ["renews", { requester: nodeUser }, true],
    ["serves", { requester: nodeUser, signer: "serving", dnsNames: [node] }, true],
    ["unknown-machine", { requester: bootstrapper, commonName: "system:node:stranger" }, false],
    ["different-node", { requester: "system:node:other" }, false],
    ["different-user", { requester: "someone" }, false],
    ["foreign-name", { requester: nodeUser, signer: "serving", dnsNames: ["kubernetes.default"] }, false],
    ["serves-by-bootstrapper", { requester: bootstrapper, signer: "serving", dnsNames: [node] }, false],
  ];
  for (const [name, asked] of rows) await request(name, asked);
  for (const [name] of rows.filter(([, , approved]) => approved))
    await eventually(async () => assert.ok(stringAt(await find(name), "status", "certificate"), name));
  for (const [name] of rows.filter(([, , approved]) => !approved))
    assert.deepEqual(listAt(await find(name), "status", "conditions"), [], name);
});
