import { readFileSync } from "node:fs";
import type { Clock, Logger } from "@keelson/base";
import {
  type Authorizer,
  acceptAll,
  anyOf,
  authorizeBy,
  bearerTokens,
  type CallerRule,
  listedCertificates,
  namedCertificates,
  PublishedCertificates,
} from "@keelson/frontend";
import type { CallerConfig, CallersConfig } from "./callers-config.ts";

export interface CallersDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Ends the reading of published lists. */
  readonly signal: AbortSignal;
}

/** Turns the configuration of callers into the authorizer, and begins to follow the lists that are published. */
export function authorizerOf(callers: CallersConfig, deps: CallersDeps): Authorizer {
  if (callers.kind === "anyone") return acceptAll();
  return authorizeBy({ arm: ruleOf(callers.arm, deps), admin: ruleOf(callers.admin, deps) });
}

function ruleOf({ certificates, tokens }: CallerConfig, deps: CallersDeps): CallerRule {
  const rules = [
    ...(tokens ? [bearerTokens({ ...tokens, ...authorityOf(tokens), ...deps })] : []),
    ...(certificates ? [certificateRule(certificates, deps)] : []),
  ];
  const [only] = rules;
  return only && rules.length === 1 ? only : anyOf(rules);
}

function certificateRule(
  certificates: NonNullable<CallerConfig["certificates"]>,
  { clock, logger, signal }: CallersDeps,
): CallerRule {
  switch (certificates.kind) {
    case "listed":
      return listedCertificates(pemBundle(certificates.file), clock);
    case "named": {
      const { commonName, authoritiesFile } = certificates;
      return namedCertificates({ commonName, authorityPems: pemBundle(authoritiesFile), clock });
    }
    case "published": {
      const { metadataUrl } = certificates;
      const rule = new PublishedCertificates({ metadataUrl, ...authorityOf(certificates), clock, logger });
      void rule.follow(signal);
      return rule;
    }
    default:
      return certificates satisfies never;
  }
}

function authorityOf({ caFile }: { readonly caFile?: string }): { readonly caPem?: string } {
  return caFile === undefined ? {} : { caPem: readFileSync(caFile, "utf8") };
}

/** The certificates of a PEM file, one text each. */
function pemBundle(path: string): readonly string[] {
  return readFileSync(path, "utf8").match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
}
