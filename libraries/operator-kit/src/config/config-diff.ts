import { isDeepStrictEqual } from "node:util";
import { boundedText, isPlainObject } from "@keelson/base";
import { type ConfigPath, pathText } from "./config-paths.ts";

export interface ConfigChange {
  readonly path: ConfigPath;
  /** Previous value. Undefined for an added field. */
  readonly before: unknown;
  /** New value. Undefined for a removed field. */
  readonly after: unknown;
}

/** Returns the innermost fields that differ. A list is compared as one value. */
export function configChanges(
  before: unknown,
  after: unknown,
  path: ConfigPath = [],
): readonly ConfigChange[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (!isPlainObject(before) || !isPlainObject(after)) return [{ path, before, after }];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names.flatMap((name) => configChanges(own(before, name), own(after, name), [...path, name]));
}

/** Returns one line for each removed and each added value. The result has at most `maxLength` UTF-16 units. */
export function describeChanges(changes: readonly ConfigChange[], maxLength: number): string {
  const lines = changes.flatMap(({ path, before, after }) => [
    ...(before === undefined ? [] : [`- ${pathText(path)}: ${JSON.stringify(before)}`]),
    ...(after === undefined ? [] : [`+ ${pathText(path)}: ${JSON.stringify(after)}`]),
  ]);
  return boundedText(lines.join("\n"), maxLength);
}

function own(object: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
