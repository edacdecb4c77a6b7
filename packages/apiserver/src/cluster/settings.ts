import { hashToken, type TokenRecord } from "../auth/static-tokens.ts";
import { arrayAt, textAt, textsAt } from "../json/access.ts";
import type { LogicalClusterOptions } from "../logical-cluster.ts";

/** What a cluster was created with, as it is stored: no secret is in it. */
export interface ClusterSettings {
  readonly clientCertificateAuthorities: readonly string[];
  readonly tokens: readonly TokenRecord[];
  readonly gitVersion: string;
}

const defaultGitVersion = "v1.32.9";

export function settingsOf(options: LogicalClusterOptions): ClusterSettings {
  return {
    clientCertificateAuthorities: options.clientCertificateAuthorities,
    tokens: (options.tokens ?? []).map(({ token, user, groups = [] }) => ({
      sha256: hashToken(token),
      user,
      groups,
    })),
    gitVersion: options.gitVersion ?? defaultGitVersion,
  };
}

export function formatSettings(settings: ClusterSettings): string {
  return JSON.stringify(settings);
}

export function parseSettings(text: string): ClusterSettings {
  const value: unknown = JSON.parse(text);
  return {
    clientCertificateAuthorities: textsAt(value, "clientCertificateAuthorities"),
    tokens: arrayAt(value, "tokens").map((each) => ({
      sha256: textAt(each, "sha256"),
      user: textAt(each, "user"),
      groups: textsAt(each, "groups"),
    })),
    gitVersion: textAt(value, "gitVersion"),
  };
}
