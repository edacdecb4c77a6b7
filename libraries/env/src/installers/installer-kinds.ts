import type { Installer } from "@keelson/installers";
import { Type } from "typebox";
import { configErrors } from "../files/config-errors.ts";
import { aroInstallerKind } from "./aro-installer-kind.ts";
import { hiveKind } from "./hive-kind.ts";
import type { InstallerDeps, InstallerKind } from "./installer-kind.ts";

/** Installer kinds by the value of `kind`. */
export type InstallerKinds = Readonly<Record<string, InstallerKind>>;

/** Installer kinds of the service. Programs can add further kinds. */
export const installerKinds: InstallerKinds = {
  "aro-installer": aroInstallerKind,
  hive: hiveKind,
};

/** Remedies for removed installer kinds in configurations of earlier releases. */
const removedKinds: Readonly<Record<string, string>> = {
  "openshift-install":
    'set it to "aro-installer", command to ARO\'s installer and graphKeyFile to the key of its graph. Move variables without the prefix ARO_ from environment to processEnvironment. See docs/installers.md',
};

/** Configuration of an installer. The installer kind validates the fields other than `kind`. */
export interface InstallerConfig {
  readonly kind: string;
  readonly [member: string]: unknown;
}

export const installerSchema = Type.Unsafe<InstallerConfig>(Type.Unknown());

export function withInstallerDefaults(installer: unknown, kinds: InstallerKinds): unknown {
  return kindOf(installer, kinds)?.withDefaults(installer) ?? installer;
}

/** Returns the faults of `installer` according to its kind. */
export function installerProblems(
  installer: unknown,
  hasHive: boolean,
  kinds: InstallerKinds,
): readonly string[] {
  const name = nameOf(installer);
  const remedy = name !== undefined && Object.hasOwn(removedKinds, name) ? removedKinds[name] : undefined;
  if (remedy) return [`/installer/kind ${name} is no longer supported: ${remedy}`];
  const kind = kindOf(installer, kinds);
  if (!kind) return [`/installer/kind must be one of ${Object.keys(kinds).join(", ")}`];
  return kind.problems(installer, hasHive);
}

/** Creates the configured installer. @throws InvalidConfiguration naming the field with an unusable file, directory or program */
export async function createInstaller(
  config: InstallerConfig,
  deps: InstallerDeps,
  kinds: InstallerKinds,
): Promise<Installer> {
  const kind = kindOf(config, kinds);
  if (kind) return await kind.create(config, deps);
  throw configErrors.InvalidConfiguration(`installer.kind ${config.kind} is not known to this program`);
}

function kindOf(installer: unknown, kinds: InstallerKinds): InstallerKind | undefined {
  const name = nameOf(installer);
  return name !== undefined && Object.hasOwn(kinds, name) ? kinds[name] : undefined;
}

function nameOf(installer: unknown): string | undefined {
  const kind: unknown = Reflect.get(Object(installer), "kind");
  return typeof kind === "string" ? kind : undefined;
}
