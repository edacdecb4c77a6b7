import { parseArgs } from "node:util";
import { parseGoDuration } from "@keelson/base";
import { errors } from "../base/errors.ts";

/** Parsed flags of an installer pod (openshift/library-go pkg/operator/staticpod/installerpod). */
export interface InstallFlags {
  readonly revision: number;
  readonly namespace: string;
  /** Name prefix of the ConfigMap with the manifest. The revision is appended. */
  readonly pod: string;
  readonly resourceDir: string;
  readonly manifestDir: string;
  readonly timeoutMs: number;
  /** Name prefixes of ConfigMaps and Secrets. The revision is appended. */
  readonly revisioned: SourceNames;
  readonly certDir?: string | undefined;
  /** Names of certificate ConfigMaps and Secrets. They have no revision. */
  readonly certs: SourceNames;
}

export interface SourceNames {
  readonly configMaps: readonly string[];
  readonly optionalConfigMaps: readonly string[];
  readonly secrets: readonly string[];
  readonly optionalSecrets: readonly string[];
}

/** Parsed flags of a pruner pod (openshift/library-go pkg/operator/staticpod/prune). */
export interface PruneFlags {
  readonly maxEligibleRevision: number;
  readonly protectedRevisions: ReadonlySet<number>;
  readonly resourceDir: string;
  readonly staticPodName: string;
}

const defaultTimeout = "2m0s";

/** @throws InvalidStaticPodFlags */
export function parseInstallFlags(args: readonly string[]): InstallFlags {
  const { one, required, list } = flagsOf(args);
  const certDir = one("cert-dir");
  const revisioned = sourceNames(list, "");
  if (revisioned.configMaps.length === 0) throw invalid("--configmaps is required");
  return {
    revision: integer("revision", required("revision")),
    namespace: required("namespace"),
    pod: required("pod"),
    resourceDir: required("resource-dir"),
    manifestDir: required("pod-manifest-dir"),
    timeoutMs: duration("timeout-duration", one("timeout-duration") ?? defaultTimeout),
    revisioned,
    certDir,
    certs: sourceNames(list, "cert-"),
  };
}

function sourceNames(list: (name: string) => readonly string[], prefix: string): SourceNames {
  return {
    configMaps: list(`${prefix}configmaps`),
    optionalConfigMaps: list(`optional-${prefix}configmaps`),
    secrets: list(`${prefix}secrets`),
    optionalSecrets: list(`optional-${prefix}secrets`),
  };
}

/** @throws InvalidStaticPodFlags */
export function parsePruneFlags(args: readonly string[]): PruneFlags {
  const { required, list } = flagsOf(args);
  return {
    maxEligibleRevision: integer("max-eligible-revision", required("max-eligible-revision")),
    protectedRevisions: new Set(
      list("protected-revisions").map((each) => integer("protected-revisions", each)),
    ),
    resourceDir: required("resource-dir"),
    staticPodName: required("static-pod-name"),
  };
}

/** Parses flags like pflag. Values can be repeated or comma-separated. Logging flags such as `-v=2` are ignored. */
function flagsOf(args: readonly string[]) {
  const names = args.flatMap((arg) => /^--([a-z-]+)/.exec(arg)?.[1] ?? []);
  const options = Object.fromEntries(
    names.map((name) => [name, { type: "string", multiple: true } as const]),
  );
  const { values } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true });
  const list = (name: string): readonly string[] =>
    [values[name] ?? []]
      .flat()
      .flatMap((each) => (typeof each === "string" ? each.split(",") : []))
      .filter((each) => each !== "");
  const one = (name: string) => list(name).at(-1);
  const required = (name: string): string => {
    const value = one(name);
    if (value === undefined) throw invalid(`--${name} is required`);
    return value;
  };
  return { one, required, list };
}

function integer(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw invalid(`--${name}: ${JSON.stringify(text)} is not a revision`);
  return Number(text);
}

/** Parses a duration such as `2m0s` to milliseconds. */
function duration(name: string, text: string): number {
  const parsed = parseGoDuration(text);
  if (parsed.kind === "problem" || parsed.ms <= 0)
    throw invalid(`--${name}: ${JSON.stringify(text)} is not a duration`);
  return parsed.ms;
}

function invalid(message: string): Error {
  return errors.InvalidStaticPodFlags(message);
}
