import { createPrivateKey, X509Certificate } from "node:crypto";
import { listAt, stringAt, stringsAt } from "@keelson/base";
import { type KubeObject, resources } from "@keelson/kube";
import { type ConfigObserver, configWith, type SyncRule } from "@keelson/operator-kit";
import { namespaces } from "../config/namespaces.ts";
import { certificateDir, keyPairFiles, resourceDir } from "../config/operand-paths.ts";
import { clusterInput, namespaceInput, singleton, warning } from "./inputs.ts";

const path = ["servingInfo", "namedCertificates"];
const field = "spec.servingCerts.namedCertificates";
const reason = "ObserveNamedCertificatesFailed";
const maxUserCertificates = 10;

/** Certificates that every API server has in addition to users' certificates. */
const builtIn = [
  "localhost-serving-cert-certkey",
  "service-network-serving-certkey",
  "external-loadbalancer-serving-certkey",
  "internal-loadbalancer-serving-certkey",
]
  .map((secret) => keyPairFiles(certificateDir, secret))
  .concat(keyPairFiles(resourceDir, "localhost-recovery-serving-certkey"));

/** Observes the server certificates by API server name. Certificates of users are copied from their Secrets. */
export const observeNamedCertificates: ConfigObserver = {
  name: "ObserveNamedCertificates",
  paths: [path],
  inputs: [clusterInput(resources.apiServers), namespaceInput(resources.secrets, namespaces.config)],
  observe({ objects, report }) {
    const apiServer = objects.find(resources.apiServers, singleton);
    if (!apiServer) return { config: {}, syncRules: copies([]) };
    const entries = listAt(apiServer, "spec", "servingCerts", "namedCertificates");
    const refuse = (message: string) => {
      report(warning(reason, message));
      throw new Error(message);
    };
    if (entries.length > maxUserCertificates)
      return refuse(`${field} cannot have more than ${maxUserCertificates} entries`);
    const secrets = entries.map((entry, index) => {
      const name = stringAt(entry, "servingCertificate", "name") ?? "";
      const at = `${field}[${index}].servingCertificate.name`;
      if (name === "") return refuse(`${at} cannot be empty`);
      const secret = objects.find(resources.secrets, { namespace: namespaces.config, name });
      if (!secret) throw new Error(`${at}: secret "${name}" not found in namespace ${namespaces.config}`);
      requireKeyPair(secret, `${at}: secret "${name}" in namespace ${namespaces.config}`);
      return name;
    });
    const names = entries.map((entry, index) => {
      const list = stringsAt(entry, "names");
      const empty = list.findIndex((each) => each.trim() === "");
      if (empty >= 0) throw new Error(`${field}[${index}].names[${empty}] cannot be empty`);
      return list;
    });
    const shared = sharedNames(names);
    if (shared.length > 0) throw new Error(shared.join("\n"));
    const ofUsers = names.map((list, index) => ({
      ...(list.length > 0 ? { names: list } : {}),
      ...keyPairFiles(certificateDir, copyName(index)),
    }));
    return { config: configWith(path, [...builtIn, ...ofUsers]), syncRules: copies(secrets) };
  },
};

/**
 * Validates a server certificate.
 * @throws Error if a server could not start with the certificate
 */
function requireKeyPair(secret: KubeObject, subject: string): void {
  const decoded = (key: string) => Buffer.from(stringAt(secret, "data", key) ?? "", "base64");
  let matches: boolean;
  try {
    matches = new X509Certificate(decoded("tls.crt")).checkPrivateKey(createPrivateKey(decoded("tls.key")));
  } catch {
    throw new Error(`${subject} has no certificate with a private key in PEM in tls.crt and tls.key`);
  }
  if (!matches)
    throw new Error(`${subject}: the private key in tls.key is not that of the certificate in tls.crt`);
}

function copyName(index: number): string {
  return `user-serving-cert-${String(index).padStart(3, "0")}`;
}

/**
 * Returns copy rules for the maximum number of Secrets. Rules beyond the given Secrets have no source, so the sync deletes their
 * copies.
 */
function copies(secrets: readonly string[]): readonly SyncRule[] {
  return Array.from({ length: maxUserCertificates }, (_, index) => {
    const to = { namespace: namespaces.target, name: copyName(index) };
    const name = secrets[index];
    return {
      resource: resources.secrets,
      to,
      ...(name === undefined ? {} : { from: { namespace: namespaces.config, name } }),
    };
  });
}

/** Returns an error for each server name that is in more than one list. Each name must select exactly one certificate. */
function sharedNames(lists: readonly (readonly string[])[]): readonly string[] {
  const users = new Map<string, number[]>();
  for (const [index, names] of lists.entries())
    for (const name of new Set(names)) users.set(name, [...(users.get(name) ?? []), index]);
  return [...users]
    .filter(([, indexes]) => indexes.length > 1)
    .map(([name, indexes]) => `${field}: name "${name}" is in several entries: [${indexes.join(",")}]`);
}
