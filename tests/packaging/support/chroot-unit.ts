import { Program } from "../../e2e/support/program.ts";
import type { UnitCommand } from "./unit-command.ts";

/**
 * Script that applies the options of a systemd unit to the file system of an image, in a new mount namespace. Arguments: root, user,
 * group, capabilities of setpriv, then per mount `ro`, `rw` or `tmpfs`, source and path, then `--` and the command. Each program
 * replaces the previous one by exec, so the process ID does not change.
 */
const script = `
set -e
root=$1 user=$2 group=$3 capabilities=$4
shift 4
mount --bind "$root" "$root"
mkdir -p "$root/proc" "$root/dev"
mount --rbind /proc "$root/proc"
mount --rbind /dev "$root/dev"
while [ "$1" != -- ]; do
  kind=$1 source=$2 place=$root$3
  shift 3
  mkdir -p "$place"
  case $kind in
  tmpfs) mount -t tmpfs -o mode=1777 tmpfs "$place" ;;
  *) mount --rbind "$source" "$place" ;;
  esac
  if [ "$kind" = ro ]; then mount -o remount,bind,ro "$place"; fi
done
shift
mount -o remount,bind,ro "$root"
exec chroot "$root" setpriv --reuid "$user" --regid "$group" --clear-groups --no-new-privs \\
  --bounding-set "$capabilities" --inh-caps "$capabilities" --ambient-caps "$capabilities" "$@"
`;

/**
 * Starts the command of a systemd unit without podman: with the unit's user, capabilities, mounts and read-only root, and with the
 * host network. Requires root. The mounts end with the process.
 * @param root directory with the image's file system
 * @param imageEnvironment variables of the image in the form `NAME=value`
 */
export function startChrootUnit(
  root: string,
  imageEnvironment: readonly string[],
  { user, group, capabilities, volumes, tmpfs, environment, args }: UnitCommand,
): Program {
  // podman gives these capabilities to users that are not root by the same sets.
  const sets = ["-all", ...capabilities.map((name) => `+${name.toLowerCase()}`)].join();
  const mounts = [
    ...tmpfs.map((path) => ["tmpfs", "tmpfs", path]),
    ...volumes.map(({ source, path, readOnly }) => [readOnly ? "ro" : "rw", source, path]),
  ];
  return Program.startCommand(
    "unshare",
    ...["--mount", "/bin/sh", "-c", script, "sh", root, `${user}`, `${group}`, sets],
    ...mounts.flat(),
    ...["--", "env", "-i", ...imageEnvironment, ...environment, "keelson", ...args],
  );
}
