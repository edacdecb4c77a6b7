import { X509Certificate } from "node:crypto";
import type { ServingCertificate } from "@keelson/apiserver";
import { type KeyPair, listAt, numberAt, parseGoDuration, stringAt } from "@keelson/base";
import { type Controller, done, type Result, watchMapped } from "@keelson/controller";
import { parse } from "yaml";
import { keyPairIn } from "../../base/data-objects.ts";
import { resources } from "../../base/resources.ts";
import type { Cluster } from "../../runtime/cluster.ts";

const namespace = "openshift-kube-apiserver";
const userCertificate = /\/secrets\/(user-serving-cert(?:-\d{3})?)\/tls\.crt$/;
const key = { name: "cluster" };

/**
 * Applies the configuration of a static pod revision to the cluster's API server: the Event TTL and custom serving certificates.
 * Uses the oldest revision of all masters, so a change applies after the last master has installed it.
 */
export const apiServerConfig: Controller<Cluster> = {
  name: "api-server-config",
  watches: [
    watchMapped(resources.kubeApiServers, () => [key]),
    watchMapped(resources.secrets, ({ metadata }) =>
      metadata.namespace === namespace && metadata.name.startsWith("user-serving-cert") ? [key] : [],
    ),
  ],
  reconcile: applyConfig,
};

async function applyConfig(_key: object, { client, logical }: Cluster): Promise<Result> {
  const operator = await client.find(resources.kubeApiServers, key);
  const revisions = listAt(operator, "status", "nodeStatuses").map(
    (each) => numberAt(each, "currentRevision") ?? 0,
  );
  const revision = revisions.length === 0 ? 0 : Math.min(...revisions);
  const stored = await client.find(resources.configMaps, { namespace, name: `config-${revision}` });
  // The initial revision of an installation has no ConfigMap.
  if (!stored) return done;
  const config: unknown = parse(stringAt(stored, "data", "config.yaml") ?? "", {
    maxAliasCount: 0,
    logLevel: "silent",
  });
  logical.setEventTtl(eventTtlMs(config));
  const named: ServingCertificate[] = [];
  for (const entry of listAt(config, "servingInfo", "namedCertificates")) {
    const [, name] = userCertificate.exec(stringAt(entry, "certFile") ?? "") ?? [];
    const pair = name && keyPairIn(await client.find(resources.secrets, { namespace, name }));
    const names = listAt(entry, "names").filter((each) => typeof each === "string");
    if (pair) named.push({ names: names.length > 0 ? names : namesOf(pair), certificate: async () => pair });
  }
  logical.setServingCertificates("named", named);
  return done;
}

/** Returns the Event TTL in milliseconds. Undefined if the default applies. */
function eventTtlMs(config: unknown): number | undefined {
  const text = stringAt(config, "apiServerArguments", "event-ttl", 0) ?? "";
  const parsed = parseGoDuration(text);
  return parsed.kind === "duration" && parsed.ms > 0 ? parsed.ms : undefined;
}

/** Returns the DNS names of a certificate. The API server uses these names if a serving certificate entry has no `names`. */
function namesOf({ certificatePem }: KeyPair): readonly string[] {
  try {
    const { subjectAltName = "" } = new X509Certificate(certificatePem);
    return [...subjectAltName.matchAll(/DNS:([^,\s]+)/g)].map(([, name = ""]) => name);
  } catch {
    return [];
  }
}
