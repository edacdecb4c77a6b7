import { unescaped } from "./tokens.ts";

/** An argument `name=text`, whose text has escapes as a string of a program; `undefined` for what is none. */
export function assignmentIn(argument: string): { readonly name: string; readonly text: string } | undefined {
  const [, name, text = ""] = /^([A-Za-z_]\w*)=(.*)$/s.exec(argument) ?? [];
  return name === undefined ? undefined : { name, text: unescaped(text) };
}
