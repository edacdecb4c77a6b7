import { createPrivateKey, X509Certificate } from "node:crypto";
import { isPlainObject, listAt, objectAt, stringAt } from "@keelson/base";
import { parse } from "yaml";
import { apiServerFlags } from "./flags.ts";

/** Reads a file of the container. Rejects if it does not exist. */
export type ReadFile = (path: string) => Promise<string>;

/**
 * Flags that kube-apiserver 1.36 does not have but that the check accepts. OpenShift's API server or earlier Kubernetes releases
 * define these flags.
 */
const otherFlags = new Set([
  "cloud-config",
  "cloud-provider",
  "kubelet-read-only-port",
  "openshift-config",
  "send-retry-after-while-not-ready-once",
]);

/** Returns the API server's startup error for a configuration file. `undefined` if the file is valid. */
export async function configFault(path: string, readFile: ReadFile): Promise<string | undefined> {
  let text: string;
  try {
    text = await readFile(path);
  } catch {
    return `open ${path}: no such file or directory`;
  }
  let config: unknown;
  try {
    config = parse(text, { maxAliasCount: 0, logLevel: "silent" });
  } catch {
    return `${path}: it is not valid YAML`;
  }
  if (!isPlainObject(config) || config.kind !== "KubeAPIServerConfig")
    return `${path}: no kind "KubeAPIServerConfig" is registered`;
  return argumentFault(objectAt(config, "apiServerArguments")) ?? (await servingFault(config, readFile));
}

function argumentFault(given: Readonly<Record<string, unknown>>): string | undefined {
  for (const [name, values] of Object.entries(given)) {
    if (!apiServerFlags.has(name) && !otherFlags.has(name)) return `unknown flag: --${name}`;
    if (values === null) continue;
    if (!Array.isArray(values) || values.some((each) => typeof each !== "string"))
      return `apiServerArguments.${name}: expected a list of strings`;
  }
  const etcd = listAt(given, "etcd-servers");
  if (etcd.length === 0) return "--etcd-servers must be specified";
  const bad = etcd.find((each) => typeof each !== "string" || !URL.canParse(each));
  return bad === undefined ? undefined : `--etcd-servers: parse ${JSON.stringify(bad)}: invalid URL`;
}

async function servingFault(config: unknown, readFile: ReadFile): Promise<string | undefined> {
  const address = stringAt(config, "servingInfo", "bindAddress") ?? "";
  if (!/^(\[[0-9a-f:]*\]|[0-9.]+):\d{1,5}$/i.test(address))
    return `servingInfo.bindAddress: ${JSON.stringify(address)} is not an address with a port`;
  const version = stringAt(config, "servingInfo", "minTLSVersion") ?? "";
  if (version !== "" && !/^VersionTLS1[0-3]$/.test(version))
    return `servingInfo.minTLSVersion: unknown TLS version ${JSON.stringify(version)}`;
  for (const each of listAt(config, "servingInfo", "namedCertificates")) {
    const fault = await keyPairFault(
      stringAt(each, "certFile") ?? "",
      stringAt(each, "keyFile") ?? "",
      readFile,
    );
    if (fault) return fault;
  }
  return undefined;
}

async function keyPairFault(
  certFile: string,
  keyFile: string,
  readFile: ReadFile,
): Promise<string | undefined> {
  const [certificate, key] = await Promise.all(
    [certFile, keyFile].map((file) => readFile(file).catch(() => undefined)),
  );
  if (certificate === undefined) return `open ${certFile}: no such file or directory`;
  if (key === undefined) return `open ${keyFile}: no such file or directory`;
  try {
    if (new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key))) return undefined;
  } catch {
    return `${certFile}: tls: failed to find any PEM data in certificate input`;
  }
  return `${certFile}: tls: private key does not match public key`;
}
