/** Token service and storage hosts of a well-known registry. */
export interface KnownRegistry {
  readonly authHosts: readonly string[];
  readonly redirectHosts: readonly string[];
}

/** Well-known registries with OpenShift images. */
export const defaultRegistries: Readonly<Record<string, KnownRegistry>> = {
  "quay.io": { authHosts: [], redirectHosts: ["*.quay.io", "*.cloudfront.net", "*.s3.amazonaws.com"] },
  "registry.redhat.io": {
    authHosts: ["sso.redhat.com"],
    redirectHosts: ["*.quay.io", "*.redhat.io", "*.cloudfront.net", "*.s3.amazonaws.com"],
  },
  "registry.access.redhat.com": {
    authHosts: ["registry.redhat.io"],
    redirectHosts: ["*.quay.io", "*.redhat.com", "*.redhat.io", "*.cloudfront.net", "*.s3.amazonaws.com"],
  },
  "registry.fedoraproject.org": { authHosts: [], redirectHosts: ["*.fedoraproject.org"] },
  "mcr.microsoft.com": {
    authHosts: [],
    redirectHosts: ["*.data.mcr.microsoft.com", "*.cdn.mscr.io", "*.blob.core.windows.net"],
  },
};

/** Storage hosts to which Azure container registries redirect downloads. */
export const azureRedirectHosts: readonly string[] = [
  "*.data.azurecr.io",
  "*.data.azurecr.us",
  "*.data.azurecr.cn",
  "*.blob.core.windows.net",
  "*.blob.core.usgovcloudapi.net",
  "*.blob.core.chinacloudapi.cn",
];

/** Images for the service and its administrators. The mirror copies these images in addition to the images of the releases. */
export const fixedImages: readonly string[] = [
  "registry.fedoraproject.org/fedora:42",
  "mcr.microsoft.com/azure-cli:cbl-mariner2.0",
  "mcr.microsoft.com/azure-cli:azurelinux3.0",
  ...["rhel8", "rhel9"].map((name) => `registry.redhat.io/${name}/support-tools:latest`),
  ...["v4.12", "v4.13", "v4.14", "v4.15"].map(
    (tag) => `registry.redhat.io/openshift4/ose-tools-rhel8:${tag}`,
  ),
  ...["v4.16", "v4.17", "latest"].map((tag) => `registry.redhat.io/openshift4/ose-cli-rhel9:${tag}`),
  ...[
    "ubi9/ubi-minimal",
    "ubi9/ubi-micro",
    "ubi9/toolbox",
    "ubi8/nodejs-18",
    "ubi9/nodejs-18",
    "ubi9/nodejs-22",
  ].map((name) => `registry.access.redhat.com/${name}:latest`),
  "quay.io/app-sre/managed-upgrade-operator:v0.1.1445-g512fbce",
  "registry.redhat.io/openshift4/ose-must-gather:latest",
  ...["rhel-9-golang-1.24-openshift-4.20", "rhel-9-golang-1.25-openshift-4.21"].map(
    (tag) => `quay.io/openshift-release-dev/golang-builder--partner-share:${tag}`,
  ),
];
