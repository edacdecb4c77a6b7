import { scalarStringAt } from "@keelson/apimachinery";
import { listAt, objectAt, stringsAt } from "@keelson/base";
import { kubernetesVersion } from "@keelson/kinds";
import type { GivenKeys } from "../auth/cluster-keys.ts";
import { hashToken, type TokenRecord } from "../auth/static-tokens.ts";
import type { LogicalClusterOptions } from "./logical-cluster.ts";

/** Stored settings of a cluster. They contain private keys and must not be logged. */
export interface ClusterSettings {
  readonly clientCertificateAuthorities: readonly string[];
  readonly tokens: readonly TokenRecord[];
  readonly gitVersion: string;
  readonly serviceAccountIssuer: string;
  readonly keys: GivenKeys;
}

const defaultIssuer = "https://kubernetes.default.svc";

export function settingsOf(options: LogicalClusterOptions): ClusterSettings {
  return {
    clientCertificateAuthorities: options.clientCertificateAuthorities,
    tokens: (options.tokens ?? []).map(({ token, user, groups = [] }) => ({
      sha256: hashToken(token),
      user,
      groups,
    })),
    gitVersion: options.gitVersion ?? `v${kubernetesVersion}`,
    serviceAccountIssuer: options.serviceAccountIssuer ?? defaultIssuer,
    keys: {
      ...(options.serviceAccountKey ? { serviceAccountKey: options.serviceAccountKey } : {}),
      ...(options.clientCertificateSigner
        ? { clientCertificateSigner: options.clientCertificateSigner }
        : {}),
    },
  };
}

export function formatSettings(settings: ClusterSettings): string {
  return JSON.stringify(settings);
}

export function parseSettings(text: string): ClusterSettings {
  const value: unknown = JSON.parse(text);
  return {
    clientCertificateAuthorities: stringsAt(value, "clientCertificateAuthorities"),
    tokens: listAt(value, "tokens").map((each) => ({
      sha256: scalarStringAt(each, "sha256"),
      user: scalarStringAt(each, "user"),
      groups: stringsAt(each, "groups"),
    })),
    gitVersion: scalarStringAt(value, "gitVersion"),
    serviceAccountIssuer: scalarStringAt(value, "serviceAccountIssuer") || defaultIssuer,
    keys: parseKeys(objectAt(value, "keys")),
  };
}

function parseKeys(value: Readonly<Record<string, unknown>>): GivenKeys {
  const serviceAccountKey = scalarStringAt(value, "serviceAccountKey");
  const certificatePem = scalarStringAt(value, "clientCertificateSigner", "certificatePem");
  const privateKeyPem = scalarStringAt(value, "clientCertificateSigner", "privateKeyPem");
  return {
    ...(serviceAccountKey ? { serviceAccountKey } : {}),
    ...(privateKeyPem ? { clientCertificateSigner: { certificatePem, privateKeyPem } } : {}),
  };
}
