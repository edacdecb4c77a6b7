import { lstatSync, readdirSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { defineErrors } from "./errors.ts";

/** File, directory or symbolic link at an absolute path of the private root. */
export type PrivateEntry = { readonly path: string } & (
  | { readonly source: string; readonly readOnly?: boolean }
  | { readonly link: string }
  /** Mounts an empty directory over an existing directory of the root. */
  | { readonly isEmpty: true }
);

export interface PrivateRoot {
  /** Empty host directory on which the root is mounted. */
  readonly mountPoint: string;
  /** Host directory with the root's files. Default: an empty directory that is lost at exit. */
  readonly base?: string;
  /** Entries that are mounted in the root. Parent directories come first. */
  readonly entries: readonly PrivateEntry[];
  /** Working directory in the root. Created if it does not exist. */
  readonly workDirectory: string;
  /** Host file with the output of `shellExports`. Only the command inside the root reads this file. */
  readonly environmentFile?: string;
}

const errors = defineErrors({
  /** This process is not permitted to create a mount namespace. */
  NamespaceUnavailable: { retry: "never" },
});

/** `PATH` of the programs that prepare the root. These programs need no other variable. */
export const systemPath = "/usr/sbin:/usr/bin:/sbin:/bin";

/**
 * Command prefixes that create a mount namespace. They are tried in order, because without privileges a mount namespace requires
 * a user namespace (user_namespaces(7)).
 */
const candidates = [
  ["unshare", "--mount"],
  ["unshare", "--user", "--map-root-user", "--mount"],
] as const;

/**
 * Script that prepares the root. Arguments: mount point, base (or an empty string), environment file, working directory, three
 * arguments per entry (kind, source, path), `--`, command. Each program replaces the previous one by exec, so the process ID does
 * not change.
 */
const script = `
set -e
root=$1 base=$2 environment=$3 work=$4
shift 4
if [ -n "$base" ]; then mount --rbind "$base" "$root"; else mount -t tmpfs -o mode=755 tmpfs "$root"; fi
while [ "$1" != -- ]; do
  kind=$1 source=$2 place=$root$3
  shift 3
  case $kind in
  link)
    [ -e "$place" ] || [ -L "$place" ] || ln -s "$source" "$place"
    continue
    ;;
  empty)
    if [ -d "$place" ]; then mount -t tmpfs -o mode=755 tmpfs "$place"; fi
    continue
    ;;
  esac
  if [ -d "$source" ]; then
    [ -d "$place" ] || mkdir -p "$place"
  elif [ ! -e "$place" ]; then
    mkdir -p "\${place%/*}"
    : >"$place"
  fi
  mount --rbind "$source" "$place"
  if [ "$kind" = read ]; then mount -o remount,bind,ro,nosuid,nodev "$place"; fi
done
shift
exec 9<"$environment"
exec chroot "$root" /bin/sh -c '[ -d "$1" ] || mkdir -p "$1"; cd "$1" && shift && . /dev/fd/9 && exec 9<&- && exec "$@"' sh "$work" "$@"
`;

/**
 * Returns a command line that runs `command` in a new mount namespace with the private root. Run it with `PATH` set to
 * `systemPath`. The root is not a security boundary, because the command has all permissions of its user.
 * @throws NamespaceUnavailable
 */
export async function inPrivateRoot(
  root: PrivateRoot,
  command: readonly string[],
): Promise<readonly string[]> {
  const { mountPoint, base = "", environmentFile = "/dev/null", workDirectory, entries } = root;
  const namespace = await mountNamespace();
  const words = entries.flatMap((entry) => [...kindAndSource(entry), entry.path]);
  const place = [mountPoint, base, environmentFile, workDirectory];
  return [...namespace, "/bin/sh", "-c", script, "sh", ...place, ...words, "--", ...command];
}

function kindAndSource(entry: PrivateEntry): readonly [kind: string, source: string] {
  if ("link" in entry) return ["link", entry.link];
  if ("isEmpty" in entry) return ["empty", ""];
  return [entry.readOnly ? "read" : "write", entry.source];
}

/** Returns the command prefix that starts a program in a new mount namespace. @throws NamespaceUnavailable */
export async function mountNamespace(): Promise<readonly string[]> {
  // Loaded lazily, because the module takes 0.5 MB and most processes do not need it.
  const { execFile } = process.getBuiltinModule("node:child_process");
  const failures: unknown[] = [];
  for (const [program, ...options] of candidates) {
    try {
      const test = [...options, "mount", "-t", "tmpfs", "tmpfs", "/tmp"];
      await promisify(execFile)(program, test, { env: { PATH: systemPath } });
      return [program, ...options];
    } catch (error) {
      failures.push(error);
    }
  }
  throw errors.NamespaceUnavailable(
    "this process may not create a mount namespace. Run it on Linux with unprivileged user namespaces or with the capability SYS_ADMIN.",
    { cause: new AggregateError(failures) },
  );
}

/** Returns the entries for the top-level directories and links of the host. `names` selects other paths, including files. */
export function hostEntries({
  names,
  readOnly = false,
}: {
  readonly names?: readonly string[];
  readonly readOnly?: boolean;
}): readonly PrivateEntry[] {
  return (names ?? readdirSync("/")).flatMap((name): PrivateEntry[] => {
    const path = join("/", name);
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found?.isSymbolicLink()) {
      // The target of a link to a file is mounted, because the root may not contain the target's directory.
      if (!names || !statSync(path, { throwIfNoEntry: false })?.isFile())
        return [{ path, link: readlinkSync(path) }];
      return [{ path, source: realpathSync(path), readOnly }];
    }
    // Files are included only if `names` contains them.
    return found?.isDirectory() || (found?.isFile() && names) ? [{ path, source: path, readOnly }] : [];
  });
}

/** Returns a shell script that exports variables. Skips names that are invalid in shells. */
export function shellExports(environment: Readonly<Record<string, string>>): string {
  return Object.entries(environment)
    .filter(([name]) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
    .map(([name, value]) => `export ${name}='${value.replaceAll("'", "'\\''")}'\n`)
    .join("");
}
