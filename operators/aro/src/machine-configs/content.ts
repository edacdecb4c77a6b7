import { isPlainObject, listAt, objectAt, stringAt } from "@keelson/base";
import { differences } from "@keelson/kube";
import { decodeDataUrl, encodeDataUrl } from "./data-url.ts";

type Spec = Readonly<Record<string, unknown>>;

/**
 * True if nodes have the same from the live MachineConfig as from the wanted one. How it is written does not matter:
 * empty members, other forms of a data URL, and the empty lines with which the original begins its texts. Nodes do not
 * reboot for these, so they change only when something else does.
 */
export function holdsContent(live: unknown, wanted: Spec): boolean {
  const [has, wants] = [comparable(live), comparable(wanted)];
  if (differences({ spec: has }, { spec: wants }) !== undefined) return false;
  return addsNothing(has, wants);
}

/**
 * The wanted specification with null for each field that only the live one has: kernel arguments, extensions, users and others that an
 * administrator added.
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

/** True if the live value has no more than the wanted one. Empty fields count as absent. */
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

/** How many characters the empty lines have that a text begins with. */
function emptyLines(text: string): number {
  return /^[\r\n]*/.exec(text)?.[0].length ?? 0;
}
