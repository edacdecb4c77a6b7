import { isPlainObject, listAt, objectAt, stringAt } from "@keelson/base";
import { differences } from "@keelson/kube";
import { decodeDataUrl, encodeDataUrl } from "./data-url.ts";

type Spec = Readonly<Record<string, unknown>>;

/**
 * True if both MachineConfigs configure nodes identically. Three differences are ignored: empty fields, different forms of a data
 * URL, and leading empty lines of ARO-RP's files. If only these differ, the MachineConfig is not updated, so nodes do not reboot.
 */
export function holdsContent(live: unknown, wanted: Spec): boolean {
  const [has, wants] = [comparable(live), comparable(wanted)];
  if (differences({ spec: has }, { spec: wants }) !== undefined) return false;
  return addsNothing(has, wants);
}

/**
 * Returns the desired specification. Each field that only `live` has is set to null, so that it is removed. For example,
 * administrators may have added kernel arguments, extensions or users.
 */
export function restoredSpec(live: unknown, wanted: Spec): Spec {
  const added = Object.entries(objectAt(live))
    .filter(([name, value]) => !Object.hasOwn(wanted, name) && !addsNothing(value, undefined))
    .map(([name]) => [name, null]);
  const restored = Object.entries(wanted).map(([name, value]) => [
    name,
    isPlainObject(value) ? restoredSpec(objectAt(live, name), value) : value,
  ]);
  return Object.fromEntries([...restored, ...added]);
}

/** True if the live value has only fields of the wanted value. Empty fields are ignored. */
function addsNothing(live: unknown, wanted: unknown): boolean {
  if (Array.isArray(live)) return live.every((each, at) => addsNothing(each, listAt(wanted)[at]));
  if (isPlainObject(live))
    return Object.entries(live).every(([name, value]) => addsNothing(value, objectAt(wanted)[name]));
  return wanted !== undefined || live === undefined || live === null || live === false || live === "";
}

function comparable(spec: unknown): unknown {
  if (!isPlainObject(spec)) return spec;
  const { config } = spec;
  if (!isPlainObject(config)) return spec;
  const files = listAt(config, "storage", "files").map(comparableFile);
  const units = listAt(config, "systemd", "units").map(comparableUnit);
  return {
    ...spec,
    config: {
      ...config,
      ...(files.length === 0 ? {} : { storage: { ...objectAt(config.storage), files } }),
      ...(units.length === 0 ? {} : { systemd: { ...objectAt(config.systemd), units } }),
    },
  };
}

function comparableFile(file: unknown): unknown {
  const source = stringAt(file, "contents", "source");
  const contents = source === undefined ? undefined : decodeDataUrl(source);
  if (contents === undefined) return file;
  const text = encodeDataUrl(contents.subarray(emptyLines(contents.toString("latin1"))));
  return { ...objectAt(file), contents: { ...objectAt(file, "contents"), source: text } };
}

function comparableUnit(unit: unknown): unknown {
  const text = stringAt(unit, "contents");
  return text === undefined ? unit : { ...objectAt(unit), contents: text.slice(emptyLines(text)) };
}

/** Returns the number of leading newline characters. */
function emptyLines(text: string): number {
  return /^[\r\n]*/.exec(text)?.[0].length ?? 0;
}
