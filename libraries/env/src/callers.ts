import {
  type Authorizer,
  acceptAll,
  anyOf,
  authorizeBy,
  bearerTokens,
  type CallerRule,
  certificateRoles,
  isAdminRequest,
  listedCertificates,
  namedCertificates,
  PublishedCertificates,
} from "@keelson/auth";
import type { Clock, Logger } from "@keelson/base";
import type { AdminRolesConfig, CallerConfig, CallersConfig } from "./config/callers-config.ts";
import { readCertificates } from "./files/config-files.ts";

export interface CallersDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Ends the reading of published lists. */
  readonly signal: AbortSignal;
}

/** Turns the configuration of callers into the authorizer, and begins to follow the lists that are published. @throws InvalidConfiguration */
export function authorizerOf(callers: CallersConfig, deps: CallersDeps): Authorizer {
  if (callers.kind === "anyone") return acceptUnlessToken(callers, deps);
  return authorizeBy({
    arm: ruleOf("callers.arm", callers.arm, deps),
    admin: ruleOf("callers.admin", callers.admin, deps, callers.adminRoles),
  });
}

/** Admits every caller. Requests of the admin API with a token have the rights of the token. */
function acceptUnlessToken(
  { adminTokens, adminRoles }: Extract<CallersConfig, { kind: "anyone" }>,
  deps: CallersDeps,
): Authorizer {
  const all = acceptAll();
  if (!adminTokens) return all;
  const rule = ruleOf("callers", { tokens: adminTokens }, deps, adminRoles);
  return {
    ...all,
    authorize: (request) =>
      isAdminRequest(request) && request.header("authorization") !== undefined
        ? rule.admits(request)
        : all.authorize(request),
  };
}

function ruleOf(
  member: string,
  { certificates, tokens }: CallerConfig,
  deps: CallersDeps,
  roles?: AdminRolesConfig,
): CallerRule {
  const ofToken = roles ? { adminRoles: roles.groups } : {};
  const ofCertificate = (rule: CallerRule) => (roles ? certificateRoles(rule, roles.certificates) : rule);
  const rules = [
    ...(tokens
      ? [bearerTokens({ ...tokens, ...ofToken, ...authorityOf(`${member}.tokens`, tokens), ...deps })]
      : []),
    ...(certificates ? [ofCertificate(certificateRule(`${member}.certificates`, certificates, deps))] : []),
  ];
  const [only] = rules;
  return only && rules.length === 1 ? only : anyOf(rules);
}

function certificateRule(
  member: string,
  certificates: NonNullable<CallerConfig["certificates"]>,
  { clock, logger, signal }: CallersDeps,
): CallerRule {
  switch (certificates.kind) {
    case "listed":
      return listedCertificates(readCertificates(`${member}.file`, certificates.file), clock);
    case "named": {
      const { commonName, authoritiesFile } = certificates;
      return namedCertificates({
        commonName,
        authorityPems: readCertificates(`${member}.authoritiesFile`, authoritiesFile),
        clock,
      });
    }
    case "published": {
      const { metadataUrl } = certificates;
      const rule = new PublishedCertificates({
        metadataUrl,
        ...authorityOf(member, certificates),
        clock,
        logger,
      });
      void rule.follow(signal);
      return rule;
    }
    default:
      return certificates satisfies never;
  }
}

function authorityOf(member: string, { caFile }: { readonly caFile?: string }): { readonly caPem?: string } {
  return caFile === undefined ? {} : { caPem: readCertificates(`${member}.caFile`, caFile).join("\n") };
}
