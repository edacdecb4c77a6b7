import type { Installer } from "@keelson/installers";
import { Type } from "typebox";
import { configErrors } from "../files/config-errors.ts";
import { hiveKind } from "./hive-kind.ts";
import type { InstallerDeps, InstallerKind } from "./installer-kind.ts";
import { openshiftInstallKind } from "./openshift-install-kind.ts";

/** Installers by the `kind` of a configuration. */
export type InstallerKinds = Readonly<Record<string, InstallerKind>>;

/** The installers of the service itself; a program may know more. */
export const installerKinds: InstallerKinds = {
  "openshift-install": openshiftInstallKind,
  hive: hiveKind,
};

/** Which installer, and what it needs: its kind checks the members besides `kind`. */
export interface InstallerConfig {
  readonly kind: string;
  readonly [member: string]: unknown;
}

export const installerSchema = Type.Unsafe<InstallerConfig>(Type.Unknown());

export function withInstallerDefaults(installer: unknown, kinds: InstallerKinds): unknown {
  return kindOf(installer, kinds)?.withDefaults(installer) ?? installer;
}

/** What is wrong with the `installer` of a configuration, by the kind that it names. */
export function installerProblems(
  installer: unknown,
  hasHive: boolean,
  kinds: InstallerKinds,
): readonly string[] {
  const kind = kindOf(installer, kinds);
  if (!kind) return [`/installer/kind must be one of ${Object.keys(kinds).join(", ")}`];
  return kind.problems(installer, hasHive);
}

/** @throws InvalidConfiguration naming the member whose file, folder or program cannot be used */
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
  const kind: unknown = Reflect.get(Object(installer), "kind");
  return typeof kind === "string" && Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
}
