import { isPlainObject, listAt, objectAt, stringAt } from "@keelson/base";
import { differences } from "@keelson/kube";
import { decodeDataUrl, encodeDataUrl } from "./data-url.ts";

type Spec = Readonly<Record<string, unknown>>;

/**
 * Whether nodes of the live MachineConfig have all that the wanted one gives them. How it is written does not matter:
 * empty members, other forms of a data URL, and the empty lines with which the original begins its texts. Nodes do not
 * reboot for these, so they change only when something else does.
 */
export function holdsContent(live: unknown, wanted: Spec): boolean {
  const [has, wants] = [comparable(live), comparable(wanted)];
  if (differences({ spec: has }, { spec: wants }) !== undefined) return false;
  return lists.every((path) => addsNothing(listAt(has, ...path), listAt(wants, ...path)));
}

/** Lists that are the operator's as a whole: what others add to an entry, such as another owner of a file, is not as wanted. */
const lists = [
  ["config", "storage", "files"],
  ["config", "systemd", "units"],
] as const;

/** Whether the one says no more than the other; empty members say nothing. */
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
