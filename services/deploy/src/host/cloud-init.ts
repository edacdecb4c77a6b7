import { stringify } from "yaml";
import type { HostSettings } from "./host-settings.ts";
import { metadataRule, metadataRuleFile } from "./metadata-rule.ts";
import { type Part, settingsFile, unitName } from "./parts.ts";
import { registryLoginScript } from "./registry-login.ts";
import { target, unitFiles } from "./units.ts";

export interface Machine {
  readonly image: string;
  readonly parts: readonly Part[];
  /** Settings of the components. Undefined if the machine's components have no settings. */
  readonly settings?: HostSettings;
  /** File contents by path. */
  readonly files?: Readonly<Record<string, string>>;
  readonly identityClientId: string;
  readonly tenantId: string;
  readonly armAudience: string;
}

/**
 * Returns the cloud-init configuration of a machine. The configuration installs podman and systemd units that run the components.
 * It contains no secrets.
 */
export function cloudInit(machine: Machine): string {
  const { image, parts, settings, files = {} } = machine;
  const [registry = ""] = image.split("/");
  const login = registryLoginScript({ ...machine, registry });
  const timers = settings ? ["keelson-host.timer"] : [];
  const config = {
    package_update: true,
    packages: ["curl", "nftables", "podman"],
    write_files: [
      { path: "/usr/local/sbin/keelson-registry-login", permissions: "0755", content: login },
      { path: metadataRuleFile, permissions: "0644", content: metadataRule },
      ...(settings
        ? [{ path: settingsFile, permissions: "0644", content: `${JSON.stringify(settings, null, 2)}\n` }]
        : []),
      ...Object.entries(files).map(([path, content]) => ({ path, permissions: "0644", content })),
      ...unitFiles(image, parts, settings !== undefined).map(({ name, content }) => ({
        path: `/etc/systemd/system/${name}`,
        permissions: "0644",
        content,
      })),
    ],
    runcmd: [
      ["systemctl", "daemon-reload"],
      ["systemctl", "enable", "--now", "--no-block", target, ...timers, ...parts.map(unitName)],
    ],
  };
  return `#cloud-config\n${stringify(config, { lineWidth: 0 })}`;
}
