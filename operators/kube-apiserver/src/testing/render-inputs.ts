import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createCertificateAuthority, type KeyPair } from "@keelson/base";
import { stringify } from "yaml";
import { type RenderOptions, renderDefaults } from "../render/render-options.ts";

const signers = [
  "aggregator-signer",
  "kube-control-plane-signer",
  "kube-apiserver-to-kubelet-signer",
  "kube-apiserver-lb-signer",
  "kube-apiserver-localhost-signer",
  "kube-apiserver-service-network-signer",
];

/** Writes the files that the installer passes to `render`, below the directory `root`. One CA signs all certificates. */
export async function writeRenderInputs(root: string, publicKey: string) {
  const authority: KeyPair = await createCertificateAuthority("signer-of-tests", 30);
  const input = join(root, "in");
  mkdirSync(input, { recursive: true });
  for (const name of signers) {
    writeFileSync(join(input, `${name}.crt`), authority.certificatePem);
    writeFileSync(join(input, `${name}.key`), authority.privateKeyPem);
  }
  for (const name of ["admin-kubeconfig-ca-bundle.crt", "kubelet-bootstrap-kubeconfig-ca-bundle.crt"])
    writeFileSync(join(input, name), authority.certificatePem);
  writeFileSync(join(input, "service-account.pub"), publicKey);
  const file = (name: string, content: unknown) => {
    writeFileSync(join(root, name), stringify(content));
    return join(root, name);
  };
  const gates = {
    version: "4.19.0",
    enabled: [{ name: "OpenShiftPodSecurityAdmission" }, { name: "EventTTL" }],
    disabled: [{ name: "KMSEncryption" }],
  };
  const options: RenderOptions = {
    ...renderDefaults,
    manifestImage: "hyperkube:1",
    manifestOperatorImage: "operator:1",
    assetInputDir: input,
    assetOutputDir: join(root, "out"),
    configOutputFile: join(root, "out", "config.yaml"),
    renderedManifestFiles: [
      file("gates.yaml", {
        apiVersion: "config.openshift.io/v1",
        kind: "FeatureGate",
        metadata: { name: "cluster" },
        status: { featureGates: [gates] },
      }),
    ],
    payloadVersion: "4.19.0",
    operandKubernetesVersion: "1.32.9",
    clusterConfigFile: file("network.yaml", {
      apiVersion: "config.openshift.io/v1",
      kind: "Network",
      spec: {
        clusterNetwork: [{ cidr: "10.128.0.0/14", hostPrefix: 23 }],
        serviceNetwork: ["172.30.0.0/16"],
      },
    }),
  };
  return { authority, options };
}
