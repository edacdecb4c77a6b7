import { isDeepStrictEqual } from "node:util";
import { boundedText, isPlainObject } from "@keelson/base";
import { type ConfigPath, pathText } from "./config-paths.ts";

export interface ConfigChange {
  readonly path: ConfigPath;
  /** Undefined where it was not there. */
  readonly before: unknown;
  /** Undefined where it is gone. */
  readonly after: unknown;
}

/** The innermost members that differ, lists as a whole. */
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

/** A line for each value that goes and each that comes, at most `maxLength` UTF-16 units. */
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
