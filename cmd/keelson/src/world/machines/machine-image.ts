import { isPlainObject } from "@keelson/base";
import { parse } from "yaml";

/** systemd unit of a machine. It runs this program's image. */
export interface MachineUnit {
  /** `keelson-rp.service` */
  readonly name: string;
  /** Arguments that follow the image in the unit's command. */
  readonly args: readonly string[];
  /** True if the unit must complete before the other units start. */
  readonly isOneShot: boolean;
  readonly restartMs: number;
  /** Grace period in ms between SIGTERM and SIGKILL. */
  readonly stopMs: number;
}

/** Files and units that cloud-init creates on a machine. */
export interface MachineImage {
  readonly files: readonly { readonly path: string; readonly content: string }[];
  readonly units: readonly MachineUnit[];
}

/** Parses the custom data of a machine: a cloud-init configuration with units that run `image` with podman. */
export function readMachineImage(customData: string, image: string): MachineImage {
  const config: unknown = parse(Buffer.from(customData, "base64").toString());
  const written = isPlainObject(config) && Array.isArray(config.write_files) ? config.write_files : [];
  const files = written.flatMap((each: unknown) =>
    isPlainObject(each) && typeof each.path === "string" && typeof each.content === "string"
      ? [{ path: each.path, content: each.content }]
      : [],
  );
  return { files, units: files.flatMap(({ path, content }) => unitOf(path, content, image)) };
}

function unitOf(path: string, content: string, image: string): readonly MachineUnit[] {
  const name = /^\/etc\/systemd\/system\/([\w.-]+\.service)$/.exec(path)?.[1];
  const command = setting(content, "ExecStart")?.split(/\s+/) ?? [];
  const at = command.indexOf(image);
  if (name === undefined || at < 0) return [];
  const stopSeconds = /--time (\d+)/.exec(setting(content, "ExecStop") ?? "")?.[1] ?? "90";
  return [
    {
      name,
      args: command.slice(at + 1),
      isOneShot: setting(content, "Type") === "oneshot",
      restartMs: Number(setting(content, "RestartSec") ?? 1) * 1_000,
      stopMs: Number(stopSeconds) * 1_000,
    },
  ];
}

function setting(unit: string, name: string): string | undefined {
  return new RegExp(`^${name}=(.*)$`, "m").exec(unit)?.[1];
}
