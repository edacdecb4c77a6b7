import assert from "node:assert/strict";
import { test } from "node:test";
import { isOfKubelet, machineAddresses, type SigningRequest } from "./kubelet-requests.ts";

const object = (name: string, status: object) => ({
  apiVersion: "machine.openshift.io/v1beta1",
  kind: "Machine",
  metadata: { name },
  status,
});
const machines = machineAddresses([
  object("worker-1", { addresses: [{ type: "InternalIP", address: "10.0.0.4" }] }),
  object("m2", { nodeRef: { name: "worker-2" } }),
]);
const bootstrapper = "system:serviceaccount:openshift-machine-config-operator:node-bootstrapper";
const subject = {
  commonName: "system:node:worker-1",
  organizations: ["system:nodes"],
  dnsNames: [],
  ipAddresses: [],
  emailAddresses: [],
  uris: [],
};
const client: SigningRequest = {
  name: "csr",
  signer: "kubernetes.io/kube-apiserver-client-kubelet",
  requester: bootstrapper,
  subject,
};
const serving: SigningRequest = {
  ...client,
  signer: "kubernetes.io/kubelet-serving",
  requester: "system:node:worker-1",
  subject: { ...subject, dnsNames: ["worker-1"], ipAddresses: ["10.0.0.4"] },
};

const cases: readonly [name: string, request: SigningRequest, isOfKubelet: boolean][] = [
  ["the first client certificate of a machine", client, true],
  ["the renewal of a client certificate", { ...client, requester: "system:node:worker-1" }, true],
  [
    "a machine with a different node name",
    { ...client, subject: { ...subject, commonName: "system:node:worker-2" } },
    true,
  ],
  ["a serving certificate", serving, true],
  ["a different signer", { ...client, signer: "kubernetes.io/kube-apiserver-client" }, false],
  ["a different requester", { ...client, requester: "system:serviceaccount:tenant:dev" }, false],
  ["a second node as requester", { ...client, requester: "system:node:worker-2" }, false],
  ["the bootstrapper for a serving certificate", { ...serving, requester: bootstrapper }, false],
  ["an unknown machine", { ...client, subject: { ...subject, commonName: "system:node:m2" } }, false],
  [
    "administrators as group",
    { ...client, subject: { ...subject, organizations: ["system:masters"] } },
    false,
  ],
  [
    "a second group",
    { ...client, subject: { ...subject, organizations: ["system:nodes", "system:masters"] } },
    false,
  ],
  ["a user as subject", { ...client, subject: { ...subject, commonName: "mallory" } }, false],
  ["a client certificate with names", { ...client, subject: { ...subject, dnsNames: ["worker-1"] } }, false],
  [
    "a serving certificate for a foreign name",
    { ...serving, subject: { ...subject, dnsNames: ["api.example.com"] } },
    false,
  ],
  [
    "a serving certificate for a foreign address",
    { ...serving, subject: { ...subject, ipAddresses: ["10.0.0.5"] } },
    false,
  ],
  ["a serving certificate with a URI", { ...serving, subject: { ...subject, uris: ["spiffe://x"] } }, false],
  ["content that is no certificate request", { ...client, subject: undefined }, false],
];
for (const [name, request, expected] of cases)
  test(`${name} is ${expected ? "" : "not "}approved without a name`, () => {
    assert.equal(isOfKubelet(request, machines), expected);
  });
