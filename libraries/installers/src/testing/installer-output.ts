import { stringify } from "yaml";

export interface OutputOptions {
  /** Domain of the cluster. */
  readonly domain: string;
  readonly clusterName: string;
  readonly clusterId: string;
  readonly infraId: string;
  readonly region: string;
  readonly resourceGroup: string;
  readonly baseDomain: string;
  readonly apiServerAddress: string;
  readonly kubeadminPassword: string;
  /** The service's manifests by file name. */
  readonly manifests: Readonly<Record<string, string>>;
}

/**
 * Returns the files that `create manifests` writes to its work directory. File names and keys are the same as in the output of
 * ARO's installer. Certificates and private keys are placeholders, because the service reads the real ones from the graph.
 */
export function installerOutput(options: OutputOptions) {
  return {
    "auth/kubeadmin-password": options.kubeadminPassword,
    "auth/kubeconfig": adminKubeconfig(options),
    "bootstrap.ign": JSON.stringify(bootstrapIgnition(options)),
    "master.ign": JSON.stringify({ ...pointer(options, "master"), ...dataDisk }),
    "metadata.json": JSON.stringify(metadata(options)),
    "worker.ign": JSON.stringify(pointer(options, "worker")),
  };
}

const placeholder = Buffer.from("placeholder").toString("base64");

function adminKubeconfig({ domain, clusterName: name }: OutputOptions): string {
  const server = `https://api.${domain}:6443`;
  return stringify({
    clusters: [{ cluster: { "certificate-authority-data": placeholder, server }, name }],
    contexts: [{ context: { cluster: name, user: "admin" }, name: "admin" }],
    "current-context": "admin",
    preferences: {},
    users: [
      { name: "admin", user: { "client-certificate-data": placeholder, "client-key-data": placeholder } },
    ],
  });
}

function metadata(options: OutputOptions) {
  const { clusterName, clusterId, infraId, region, resourceGroup, baseDomain } = options;
  return {
    clusterName,
    clusterID: clusterId,
    infraID: infraId,
    azure: {
      armEndpoint: "",
      cloudName: "AzurePublicCloud",
      region,
      resourceGroupName: resourceGroup,
      baseDomainResourceGroupName: resourceGroup,
      baseDomainName: baseDomain,
    },
    featureSet: "",
    customFeatureSet: null,
  };
}

function dataUrl(text: string): string {
  return `data:text/plain;charset=utf-8;base64,${Buffer.from(text).toString("base64")}`;
}

/**
 * Returns an Ignition configuration that only refers a machine to the machine config server, which serves the complete
 * configuration.
 */
function pointer({ apiServerAddress }: OutputOptions, pool: "master" | "worker") {
  return {
    ignition: {
      config: { merge: [{ source: `https://${apiServerAddress}:22623/config/${pool}` }] },
      security: { tls: { certificateAuthorities: [{ source: dataUrl("placeholder") }] } },
      version: "3.2.0",
    },
  };
}

const partition = { label: "var", number: 5, sizeMiB: 0, startMiB: 50_000 };
const fileSystem = {
  device: "/dev/disk/by-partlabel/var",
  format: "xfs",
  mountOptions: ["defaults", "prjquota"],
  path: "/var",
};
const unit = { contents: "[Unit]\n", enabled: true, name: "var.mount" };
const disk = { device: "/dev/sda", partitions: [partition] };
const dataDisk = { storage: { disks: [disk], filesystems: [fileSystem] }, systemd: { units: [unit] } };

const rootMode = 0o644;

function bootstrapIgnition({ manifests }: OutputOptions) {
  const file = { overwrite: true, path: "", user: { name: "root" } };
  const manifestFiles = Object.entries(manifests).map(([name, text]) => ({
    ...file,
    path: `/opt/openshift/manifests/${name}`,
    contents: { source: dataUrl(text) },
    mode: rootMode,
  }));
  return {
    ignition: { version: "3.2.0" },
    passwd: { users: [{ name: "core", sshAuthorizedKeys: ["ssh-rsa placeholder"] }] },
    storage: {
      disks: [disk],
      files: [
        { ...file, path: "/etc/containers/registries.conf", contents: { source: dataUrl("") }, mode: 0o644 },
        { ...file, path: "/etc/motd", append: [{ source: dataUrl("") }], mode: 0o644 },
        ...manifestFiles,
      ],
      filesystems: [fileSystem],
    },
    systemd: {
      units: [
        unit,
        {
          contents: "[Unit]\n",
          dropins: [{ contents: "[Unit]\n", name: "10.conf" }],
          name: "kubelet.service",
        },
      ],
    },
  };
}
