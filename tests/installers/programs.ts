import { accessSync, constants, existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

/** Paths of external programs. A path is undefined if the command line does not specify it. */
export interface OutsidePrograms {
  /** `/bin/openshift-install` of ARO's installer image. */
  readonly installer: string | undefined;
  readonly hive: HivePrograms | undefined;
}

export interface HivePrograms {
  /** `/opt/services/manager` of the Hive image. */
  readonly manager: string;
  /** `/usr/bin/hiveutil` of the Hive image. */
  readonly hiveutil: string;
  /** Directory `config/crds` of the same Hive version. */
  readonly crds: string;
}

/** Validates the values of `--installer` and `--hive`. `problem` is a sentence with the invalid value and the allowed format. */
export function findPrograms(
  installer: string,
  hive: string,
): OutsidePrograms | { readonly problem: string } {
  const problem = [
    ...(installer === "" ? [] : [unusableProgram("--installer", resolve(installer))]),
    ...(hive === "" ? [] : hiveProblems(resolve(hive))),
  ].find((each) => each !== undefined);
  if (problem !== undefined) return { problem };
  return {
    installer: installer === "" ? undefined : resolve(installer),
    hive: hive === "" ? undefined : programsOf(resolve(hive)),
  };
}

function programsOf(directory: string): HivePrograms {
  const crds = join(directory, "crds");
  return { manager: join(directory, "manager"), hiveutil: join(directory, "hiveutil"), crds };
}

function hiveProblems(directory: string): readonly (string | undefined)[] {
  const { manager, hiveutil, crds } = programsOf(directory);
  const definition = join(crds, "hive.openshift.io_clusterdeployments.yaml");
  const missing = `--hive ${directory} is a directory with the programs manager and hiveutil and the directory crds, but has no ${definition}.`;
  return [
    unusableProgram("--hive", manager),
    unusableProgram("--hive", hiveutil),
    existsSync(definition) ? undefined : missing,
  ];
}

function unusableProgram(option: string, path: string): string | undefined {
  try {
    accessSync(path, constants.X_OK);
    if (statSync(path).isFile()) return undefined;
    return `${option}: ${path} is not a file.`;
  } catch (error) {
    return `${option}: ${path} cannot be executed (${error instanceof Error && "code" in error ? error.code : error}).`;
  }
}
