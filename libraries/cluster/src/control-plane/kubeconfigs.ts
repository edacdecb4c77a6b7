import { X509Certificate } from "node:crypto";
import { issueCertificate, Secret } from "@keelson/base";
import type { InstallState } from "@keelson/installers";
import { createKubeconfig } from "@keelson/kube";
import { type OpenShiftCluster, withProperties } from "@keelson/model";
import type { ClusterContext } from "../context/context.ts";
import { loadInstallState } from "../install/install-state.ts";

const oneYearInDays = 365;
const tenYearsInDays = 3650;

interface KubeconfigUser {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly validDays: number;
  readonly reach: "internal" | "external";
}

/** Users of the stored kubeconfigs (Azure/ARO-RP pkg/cluster/kubeconfig.go). */
const users = {
  adminKubeconfig: {
    commonName: "system:admin",
    organizations: ["system:masters"],
    validDays: tenYearsInDays,
    reach: "internal",
  },
  aroServiceKubeconfig: {
    commonName: "system:aro-service",
    organizations: ["system:masters"],
    validDays: tenYearsInDays,
    reach: "internal",
  },
  aroSREKubeconfig: {
    commonName: "system:aro-sre",
    organizations: [],
    validDays: tenYearsInDays,
    reach: "internal",
  },
  userAdminKubeconfig: {
    commonName: "system:admin",
    organizations: [],
    validDays: oneYearInDays,
    reach: "external",
  },
} as const satisfies Record<string, KubeconfigUser>;

type KubeconfigName = keyof typeof users;

/** Generates all kubeconfigs that are missing in the document. */
export async function generateKubeconfigs(context: ClusterContext): Promise<void> {
  const { properties } = context.cluster;
  const missing = names.filter((name) => !properties[name]);
  await storeKubeconfigs(context, missing);
}

const names: readonly KubeconfigName[] = [
  "adminKubeconfig",
  "aroServiceKubeconfig",
  "aroSREKubeconfig",
  "userAdminKubeconfig",
];

/** Generates the kubeconfig for SREs on clusters that were created without this kubeconfig. */
export async function fixSREKubeconfig(context: ClusterContext): Promise<void> {
  if (!context.cluster.properties.aroSREKubeconfig) await storeKubeconfigs(context, ["aroSREKubeconfig"]);
}

/** Regenerates the customer's kubeconfig if it expires soon or has an outdated URL. */
export async function fixUserAdminKubeconfig(context: ClusterContext): Promise<void> {
  if (isUserAdminKubeconfigGood(context.cluster, context.clock.now())) return;
  await storeKubeconfigs(context, ["userAdminKubeconfig"]);
}

async function storeKubeconfigs(context: ClusterContext, wanted: readonly KubeconfigName[]): Promise<void> {
  if (wanted.length === 0) return;
  const state = await loadInstallState(context);
  const [clusterName = ""] = context.cluster.properties.clusterProfile.domain.split(".");
  const made = await Promise.all(
    wanted.map(async (name) => [name, await kubeconfigFor(users[name], state, clusterName)] as const),
  );
  await context.update((cluster) => withProperties(cluster, Object.fromEntries(made)));
}

async function kubeconfigFor(
  user: KubeconfigUser,
  state: InstallState,
  clusterName: string,
): Promise<Secret> {
  const { commonName, organizations, validDays, reach } = user;
  const pair = await issueCertificate(state.kubeconfigSigner, {
    commonName,
    organizations,
    validDays,
    usage: "client",
  });
  const { apiServer } = state;
  const caPem = reach === "internal" ? apiServer.internalCaPem : apiServer.caPem;
  return new Secret(
    createKubeconfig({
      server: reach === "internal" ? apiServer.internalUrl : apiServer.url,
      caPem,
      clientCertificatePem: pair.certificatePem,
      clientKeyPem: pair.privateKeyPem,
      clusterName,
      userName: commonName,
      // The customer's kubeconfig has sorted fields, but no `apiVersion` and `kind`, because Azure/ARO-RP serializes it from
      // client-go types.
      isUntyped: reach === "external",
    }),
  );
}

const renewalDays = 275;
const dayMs = 86_400_000;

function isUserAdminKubeconfigGood(cluster: OpenShiftCluster, now: Date): boolean {
  const text = cluster.properties.userAdminKubeconfig?.reveal();
  const data = /client-certificate-data: (\S+)/.exec(text ?? "")?.[1];
  const server = /server: (\S+)/.exec(text ?? "")?.[1];
  if (!data || !server || new URL(server).hostname.startsWith("api-int.")) return false;
  const certificate = new X509Certificate(Buffer.from(data, "base64"));
  return Date.parse(certificate.validTo) - now.getTime() > renewalDays * dayMs;
}
