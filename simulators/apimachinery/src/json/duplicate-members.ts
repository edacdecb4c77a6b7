import { isPlainObject } from "@keelson/base";

/** Property name that occurs twice in an object. */
export interface DuplicateMember {
  /** Path such as `spec.containers[0].image`. */
  readonly path: string;
  readonly name: string;
  /** Line number of the second occurrence, starting at 1. */
  readonly line: number;
}

interface Frame {
  readonly path: string;
  /** Property names seen so far. Undefined for an array. */
  readonly names: Set<string> | undefined;
  index: number;
  name: string;
}

/**
 * Returns the duplicate properties in a JSON text. `value` is the result of parsing `text`. A fast comparison of property counts
 * detects texts without duplicates.
 */
export function duplicateMembers(text: string, value: unknown): readonly DuplicateMember[] {
  return colonsIn(text) === membersOf(value) ? [] : findDuplicates(text);
}

function colonsIn(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) at = endOfString(text, at);
    else if (code === 0x3a) count++;
  }
  return count;
}

function membersOf(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + membersOf(item), 0);
  if (!isPlainObject(value)) return 0;
  let count = 0;
  for (const name of Object.keys(value)) count += 1 + membersOf(value[name]);
  return count;
}

/** Returns the index of the closing quote of the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length && text.charCodeAt(at) !== 0x22; at++) if (text.charCodeAt(at) === 0x5c) at++;
  return at;
}

function findDuplicates(text: string): readonly DuplicateMember[] {
  const found = new Map<string, DuplicateMember>();
  const stack: Frame[] = [];
  const pathInside = (frame: Frame | undefined) => {
    if (!frame) return "";
    return frame.names ? memberPath(frame.path, frame.name) : `${frame.path}[${frame.index}]`;
  };
  let line = 1;
  for (let at = 0; at < text.length; at++) {
    const frame = stack.at(-1);
    switch (text[at]) {
      case "\n":
        line++;
        break;
      case "{":
        stack.push({ path: pathInside(frame), names: new Set(), index: 0, name: "" });
        break;
      case "[":
        stack.push({ path: pathInside(frame), names: undefined, index: 0, name: "" });
        break;
      case "}":
      case "]":
        stack.pop();
        break;
      case ",":
        if (frame && !frame.names) frame.index++;
        break;
      case '"': {
        const end = endOfString(text, at);
        const isName = frame?.names && /^\s*:/.test(text.slice(end + 1, end + 100));
        if (frame?.names && isName) {
          frame.name = String(JSON.parse(text.slice(at, end + 1)));
          const path = memberPath(frame.path, frame.name);
          if (frame.names.has(frame.name)) found.set(path, { path, name: frame.name, line });
          frame.names.add(frame.name);
        }
        at = end;
      }
    }
  }
  return [...found.values()];
}

function memberPath(path: string, name: string): string {
  return path ? `${path}.${name}` : name;
}
