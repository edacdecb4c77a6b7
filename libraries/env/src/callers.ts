import {
  type Authorizer,
  acceptAll,
  anyOf,
  authorizeBy,
  bearerTokens,
  type CallerRule,
  certificateRoles,
  type FollowedAuthorizer,
  followedAuthorizer,
  isAdminRequest,
  listedCertificates,
  namedCertificates,
  PublishedCertificates,
} from "@keelson/auth";
import { type Clock, type Logger, messageOf, poll } from "@keelson/base";
import type { AdminRolesConfig, CallerConfig, CallersConfig } from "./config/callers-config.ts";
import { certificatesIn, readCertificates, readConfigFile } from "./files/config-files.ts";

export interface CallersDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Aborts the periodic reading of certificate files and published lists. */
  readonly signal: AbortSignal;
}

/** Interval in ms at which the certificate files of callers are checked for changes. */
const everyMs = 10_000;

/**
 * Creates the authorizer for the configured callers. It follows published lists and changed files.
 * @throws InvalidConfiguration
 */
export function authorizerOf(callers: CallersConfig, deps: CallersDeps): FollowedAuthorizer {
  if (callers.kind === "anyone") return followedAuthorizer(acceptUnlessToken(callers, deps));
  const rules = new ConfiguredRules(callers, deps);
  const authorizer = followedAuthorizer(rules.read());
  void rules.follow((next) => authorizer.use(next));
  return authorizer;
}

/** Accepts every caller. For admin API requests with a token, the token determines the permissions. */
function acceptUnlessToken(
  { adminTokens, adminRoles }: Extract<CallersConfig, { kind: "anyone" }>,
  deps: CallersDeps,
): Authorizer {
  const all = acceptAll();
  if (!adminTokens) return all;
  const rule = tokenRule("callers.adminTokens", adminTokens, deps, adminRoles);
  return {
    ...all,
    authorize: (request) =>
      isAdminRequest(request) && request.header("authorization") !== undefined
        ? rule.admits(request)
        : all.authorize(request),
  };
}

function tokenRule(
  field: string,
  tokens: NonNullable<CallerConfig["tokens"]>,
  deps: CallersDeps,
  roles?: AdminRolesConfig,
): CallerRule {
  const ofToken = roles ? { adminRoles: roles.groups } : {};
  return bearerTokens({ ...tokens, ...ofToken, ...authorityOf(field, tokens), ...deps });
}

type VerifiedCallers = Extract<CallersConfig, { kind: "verified" }>;

/**
 * Rules of the configuration. When files change, rules that use no files stay the same objects, so they keep the certificate
 * lists and keys that they have read.
 */
class ConfiguredRules {
  readonly #callers: VerifiedCallers;
  readonly #deps: CallersDeps;
  readonly #kept = new Map<string, CallerRule>();
  /** Last used contents of the certificate files, by path. */
  #files = new Map<string, { readonly field: string; readonly text: string }>();

  constructor(callers: VerifiedCallers, deps: CallersDeps) {
    this.#callers = callers;
    this.#deps = deps;
  }

  /** Reads the files and returns an authorizer. @throws InvalidConfiguration, InvalidCertificate */
  read(): Authorizer {
    const before = this.#files;
    this.#files = new Map();
    try {
      return authorizeBy({
        arm: this.#ruleOf("callers.arm", this.#callers.arm),
        admin: this.#ruleOf("callers.admin", this.#callers.admin, this.#callers.adminRoles),
      });
    } catch (error) {
      this.#files = before;
      throw error;
    }
  }

  /** Watches the files until the signal aborts. Calls `use` with an authorizer for changed files. Invalid files are ignored. */
  async follow(use: (authorizer: Authorizer) => void): Promise<void> {
    const { clock, logger, signal } = this.#deps;
    if (this.#files.size === 0) return;
    const onError = (error: unknown) =>
      logger.warn({ error: messageOf(error) }, "certificates of callers were not read again");
    await poll({ everyMs, clock, signal, onError }, () => {
      // Certificates are parsed only after a change.
      if (this.#isChanged()) use(this.read());
    });
  }

  #isChanged(): boolean {
    return [...this.#files].some(([path, { field, text }]) => readConfigFile(field, path) !== text);
  }

  #ruleOf(field: string, { certificates, tokens }: CallerConfig, roles?: AdminRolesConfig): CallerRule {
    const ofCertificate = (rule: CallerRule) => (roles ? certificateRoles(rule, roles.certificates) : rule);
    const rules = [
      ...(tokens
        ? [this.#once(`${field}.tokens`, () => tokenRule(`${field}.tokens`, tokens, this.#deps, roles))]
        : []),
      ...(certificates ? [ofCertificate(this.#certificateRule(`${field}.certificates`, certificates))] : []),
    ];
    const [only] = rules;
    return only && rules.length === 1 ? only : anyOf(rules);
  }

  #certificateRule(field: string, certificates: NonNullable<CallerConfig["certificates"]>): CallerRule {
    const { clock, logger, signal } = this.#deps;
    switch (certificates.kind) {
      case "listed":
        return listedCertificates(this.#read(`${field}.file`, certificates.file), clock);
      case "named": {
        const { commonName, authoritiesFile } = certificates;
        const authorityPems = this.#read(`${field}.authoritiesFile`, authoritiesFile);
        return namedCertificates({ commonName, authorityPems, clock });
      }
      case "published":
        return this.#once(field, () => {
          const { metadataUrl } = certificates;
          const authority = authorityOf(field, certificates);
          const rule = new PublishedCertificates({ metadataUrl, ...authority, clock, logger });
          void rule.follow(signal);
          return rule;
        });
      default:
        return certificates satisfies never;
    }
  }

  #once(field: string, make: () => CallerRule): CallerRule {
    const rule = this.#kept.get(field) ?? make();
    this.#kept.set(field, rule);
    return rule;
  }

  #read(field: string, path: string): readonly string[] {
    const text = readConfigFile(field, path);
    this.#files.set(path, { field, text });
    return certificatesIn(field, path, text);
  }
}

function authorityOf(field: string, { caFile }: { readonly caFile?: string }): { readonly caPem?: string } {
  return caFile === undefined ? {} : { caPem: readCertificates(`${field}.caFile`, caFile).join("\n") };
}
