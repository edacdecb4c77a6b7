import assert from "node:assert/strict";
import { test } from "node:test";
import { readBootConfiguration } from "../settings/boot-configuration.ts";
import { convertEarlierFiles } from "./earlier-cluster-file.ts";

const settings = {
  version: 1,
  infraId: "demo-x7k2p",
  clusterId: "00000000-0000-0000-0000-000000000001",
  domain: "demo.eastus.keelson.localhost",
  openShiftVersion: "4.19.24",
  clientCertificateAuthorities: [],
  sshAuthorizedKeys: ["ssh-rsa AAAA"],
  platform: {
    subscriptionId: "00000000-0000-0000-0000-000000000002",
    tenantId: "00000000-0000-0000-0000-000000000003",
    location: "eastus",
    resourceGroup: "managed",
    networkResourceGroup: "network",
    virtualNetwork: "vnet",
    controlPlaneSubnet: "master",
    computeSubnet: "worker",
    networkSecurityGroup: "nsg",
    publicLoadBalancer: "demo-x7k2p",
    internalLoadBalancer: "demo-x7k2p-internal",
    registryStorageAccount: "imageregistry",
  },
  controlPlane: { replicas: 3, vmSize: "Standard_D8s_v5", zones: ["1", "2", "3"] },
};
const manifest = {
  apiVersion: "v1",
  kind: "Secret",
  metadata: { namespace: "kube-system", name: "kubeadmin" },
};

test("an install of an earlier release boots with its settings, credentials and manifests", async () => {
  const servicePrincipal = { clientId: "client", clientSecret: "secret" };
  const text = JSON.stringify({ ...settings, servicePrincipal, manifests: [manifest] });
  const files = await convertEarlierFiles(new Map([["/opt/openshift/cluster.json", text]]));
  const boot = readBootConfiguration(files, "demo-x7k2p");
  assert.deepEqual(boot.settings, { ...settings, kubernetesVersion: "1.32.9" });
  const find = (kind: string, name: string) =>
    boot.manifests.find((each) => each.kind === kind && each.metadata.name === name);
  assert.deepEqual(find("Secret", "kubeadmin"), manifest);
  assert.ok(find("Secret", "azure-credentials"));
  assert.ok(find("Machine", "demo-x7k2p-master-2"));
  assert.ok(boot.signers.root);
});

test("an installation with managed identities keeps its service account key", async () => {
  const authentication = {
    apiVersion: "config.openshift.io/v1",
    kind: "Authentication",
    metadata: { name: "cluster" },
    spec: { serviceAccountIssuer: "https://issuer.example" },
  };
  const files = await convertEarlierFiles(
    new Map([
      ["/opt/openshift/cluster.json", JSON.stringify({ ...settings, manifests: [authentication] })],
      ["/opt/openshift/tls/bound-service-account-signing-key.key", "key"],
    ]),
  );
  const { serviceAccounts, manifests } = readBootConfiguration(files, "demo-x7k2p");
  assert.equal(serviceAccounts?.issuer, "https://issuer.example");
  assert.equal(serviceAccounts?.signingKey.reveal(), "key");
  assert.ok(!manifests.some(({ metadata }) => metadata.name === "azure-credentials"));
});

test("files of openshift-install are not changed", async () => {
  const files = new Map([["/opt/openshift/manifests/a.yaml", "{}"]]);
  assert.equal(await convertEarlierFiles(files), files);
});
