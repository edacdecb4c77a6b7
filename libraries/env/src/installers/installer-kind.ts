import type { Installer } from "@keelson/installers";
import type { KubeClient } from "@keelson/kube";
import type { Static, TSchema } from "typebox";
import { Check, Default } from "typebox/value";
import { allErrors } from "../files/all-errors.ts";
import { configErrors } from "../files/config-errors.ts";

export interface InstallerDeps {
  readonly hive: KubeClient | undefined;
}

/** Kind of installer, selected by the field `kind` of `installer`. */
export interface InstallerKind {
  /** Schema of `installer`, including `kind`. */
  readonly schema: TSchema;
  /** Returns `installer` with its defaults. */
  withDefaults(installer: unknown): unknown;
  /** Returns the faults of `installer`. Each fault contains the path of the invalid field and the reason. */
  problems(installer: unknown, hasHive: boolean): readonly string[];
  /** Creates the installer. @throws InvalidConfiguration naming the field with an unusable file, directory or program */
  create(installer: unknown, deps: InstallerDeps): Installer | Promise<Installer>;
}

export interface InstallerKindOptions<Schema extends TSchema> {
  /** Schema of the complete object, including `kind`. */
  readonly schema: Schema;
  /** Returns faults that the schema cannot express. */
  readonly contradictions?: (installer: unknown, hasHive: boolean) => readonly string[];
  readonly create: (installer: Static<Schema>, deps: InstallerDeps) => Installer | Promise<Installer>;
}

export function installerKind<Schema extends TSchema>(options: InstallerKindOptions<Schema>): InstallerKind {
  const { schema, contradictions, create } = options;
  return {
    schema,
    withDefaults: (installer) => Default(schema, installer),
    problems: (installer, hasHive) => [
      ...allErrors(schema, installer).map((each) => `/installer${each.instancePath} ${each.message}`),
      ...(contradictions?.(installer, hasHive) ?? []),
    ],
    create(installer, deps) {
      if (Check(schema, installer)) return create(installer, deps);
      throw configErrors.InvalidConfiguration("installer was not checked before its use");
    },
  };
}
