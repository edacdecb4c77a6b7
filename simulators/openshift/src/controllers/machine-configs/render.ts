import { createHash } from "node:crypto";
import type { KubeObject } from "@keelson/apiserver";
import { listAt, objectAt, stringAt, valueAt } from "@keelson/base";
import { canonicalJson } from "../../base/canonical-json.ts";

export type RenderOutcome =
  | { readonly kind: "rendered"; readonly name: string; readonly spec: Readonly<Record<string, unknown>> }
  | { readonly kind: "invalid"; readonly message: string };

/**
 * Merges a pool's MachineConfigs in name order. For duplicate file paths or unit names, the last entry wins. Kernel arguments are
 * concatenated. Extensions are merged without duplicates.
 */
export function renderConfigs(pool: string, configs: readonly KubeObject[]): RenderOutcome {
  const sorted = configs.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  for (const config of sorted) {
    const problem = problemOf(config);
    if (problem !== undefined) return { kind: "invalid", message: problem };
  }
  const all = (...path: readonly string[]) => sorted.flatMap((config) => listAt(config, "spec", ...path));
  const last = (member: string) =>
    sorted
      .map((config) => stringAt(config, "spec", member))
      .findLast((value) => value !== undefined && value !== "");
  const spec = {
    baseOSExtensionsContainerImage: last("baseOSExtensionsContainerImage") ?? "",
    config: {
      ignition: { version: "3.4.0" },
      passwd: { users: mergeUsers(all("config", "passwd", "users")) },
      storage: {
        ...storageLists(sorted),
        files: lastBy(all("config", "storage", "files"), "path"),
      },
      systemd: { units: mergeUnits(all("config", "systemd", "units")) },
    },
    extensions: [...new Set(all("extensions"))].toSorted(),
    fips: sorted.some((config) => valueAt(config, "spec", "fips") === true),
    kernelArguments: all("kernelArguments"),
    kernelType: last("kernelType") ?? "default",
    osImageURL: last("osImageURL") ?? "",
  };
  const digest = createHash("md5").update(canonicalJson(spec)).digest("hex");
  return { kind: "rendered", name: `rendered-${pool}-${digest}`, spec };
}

const knownVersions = /^(2\.2|3\.[0-5])\.0$/;

/**
 * Returns the reason why a MachineConfig cannot be rendered, as message of the condition RenderDegraded. Returns undefined if the
 * MachineConfig can be rendered.
 */
function problemOf(config: KubeObject): string | undefined {
  const { name } = config.metadata;
  const ignition = valueAt(config, "spec", "config");
  if (ignition === undefined || ignition === null) return undefined;
  const version = stringAt(ignition, "ignition", "version");
  const failed = (why: string) => `parsing Ignition config failed for MachineConfig ${name}: ${why}`;
  if (version === undefined || !knownVersions.test(version))
    return failed("unknown version. Supported spec versions: 2.2, 3.0, 3.1, 3.2, 3.3, 3.4, 3.5");
  const files = listAt(ignition, "storage", "files");
  const lost = files.find((file) => !stringAt(file, "path")?.startsWith("/"));
  if (lost !== undefined) return failed("invalid config: path not absolute");
  const source = files
    .map((file) => stringAt(file, "contents", "source"))
    .find((each) => each !== undefined && each !== "" && !/^[a-z][a-z0-9+.-]*:/i.test(each));
  if (source !== undefined) return failed("invalid config: unable to parse url");
  if (listAt(ignition, "systemd", "units").some((unit) => !stringAt(unit, "name")))
    return failed("invalid config: invalid systemd unit extension");
  return undefined;
}

function storageLists(configs: readonly KubeObject[]): Record<string, unknown> {
  const lists = ["directories", "disks", "filesystems", "links", "luks", "raid"].map((member) => [
    member,
    configs.flatMap((config) => listAt(config, "spec", "config", "storage", member)),
  ]);
  return Object.fromEntries(lists.filter(([, list]) => list !== undefined && list.length > 0));
}

function lastBy(items: readonly unknown[], member: string): readonly unknown[] {
  return [...new Map(items.map((item) => [stringAt(item, member), item])).values()];
}

/**
 * Merges units with the same name. A property of a later unit replaces the property of an earlier unit. Drop-ins are merged by
 * name.
 */
function mergeUnits(units: readonly unknown[]): readonly unknown[] {
  const merged = new Map<string | undefined, Record<string, unknown>>();
  for (const unit of units) {
    const name = stringAt(unit, "name");
    const before = merged.get(name) ?? {};
    const dropins = lastBy([...listAt(before, "dropins"), ...listAt(unit, "dropins")], "name");
    merged.set(name, { ...before, ...objectAt(unit), ...(dropins.length > 0 ? { dropins } : {}) });
  }
  return [...merged.values()];
}

function mergeUsers(users: readonly unknown[]): readonly unknown[] {
  const merged = new Map<string | undefined, Record<string, unknown>>();
  for (const user of users) {
    const name = stringAt(user, "name");
    const before = merged.get(name) ?? {};
    const keys = [...new Set([...listAt(before, "sshAuthorizedKeys"), ...listAt(user, "sshAuthorizedKeys")])];
    merged.set(name, {
      ...before,
      ...objectAt(user),
      ...(keys.length > 0 ? { sshAuthorizedKeys: keys } : {}),
    });
  }
  return [...merged.values()];
}

/**
 * Returns the reason why the machine config daemon cannot apply a rendered config. Returns undefined if the daemon can apply the
 * config.
 */
export function unreconcilable(config: KubeObject | undefined, name: string): string | undefined {
  if (!config) return `machineconfig.machineconfiguration.openshift.io "${name}" not found`;
  const ignition = valueAt(config, "spec", "config");
  const stranger = listAt(ignition, "passwd", "users").find((user) => stringAt(user, "name") !== "core");
  if (stranger !== undefined)
    return `can't reconcile config with ${name}: ignition passwd user section contains unsupported changes: non-core user`;
  const disks = ["disks", "filesystems", "raid", "luks"].find(
    (member) => listAt(ignition, "storage", member).length > 0,
  );
  if (disks === undefined) return undefined;
  return `can't reconcile config with ${name}: ignition ${disks} section contains changes`;
}

/** Files that the daemon updates without a drain or reboot. */
const quietFiles: ReadonlySet<string> = new Set([
  "/var/lib/kubelet/config.json",
  "/etc/kubernetes/kubelet-ca.crt",
  "/etc/kubernetes/ca.crt",
]);

/**
 * True if the difference between two rendered configs requires a drain and a reboot. A change of credentials requires neither.
 */
export function needsReboot(from: KubeObject | undefined, to: KubeObject): boolean {
  const loud = (config: KubeObject | undefined) => {
    const spec = objectAt(config, "spec");
    const ignition = objectAt(spec, "config");
    const files = listAt(ignition, "storage", "files").filter(
      (file) => !quietFiles.has(stringAt(file, "path") ?? ""),
    );
    const storage = { ...objectAt(ignition, "storage"), files };
    return canonicalJson({ ...spec, config: { ...ignition, storage, passwd: undefined } });
  };
  return loud(from) !== loud(to);
}
