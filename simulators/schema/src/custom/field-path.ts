import type { StructuralSchema } from "./structural-schema.ts";

export interface FieldPath {
  /** Path in the format of error messages: `spec.labels[app]`. */
  readonly text: string;
  readonly root: string;
  /** Schema at the path. */
  readonly schema: StructuralSchema | undefined;
}

const step = /\.([^.[\]]+)|\['((?:\\.|[^'\\])*)'\]/y;

/** Resolves a path such as `.spec.labels['app']` in a schema. Returns undefined if the schema does not contain the path. */
export function fieldPathOf(path: string, schema: StructuralSchema): FieldPath | undefined {
  let at = 0;
  let text = "";
  let root = "";
  let found: StructuralSchema | undefined = schema;
  while (at < path.length) {
    step.lastIndex = at;
    const match: RegExpExecArray | null = step.exec(path);
    if (!match || !found) return undefined;
    const name: string = match[1] ?? unescaped(match[2] ?? "");
    const { properties, additionalProperties }: StructuralSchema = found;
    if (properties.size > 0) {
      if (!properties.has(name)) return undefined;
      found = properties.get(name);
      text = text ? `${text}.${name}` : name;
    } else {
      if (!additionalProperties || additionalProperties === "any") return undefined;
      found = additionalProperties;
      text += `[${name}]`;
    }
    root ||= name;
    at = step.lastIndex;
  }
  return { text, root, schema: found };
}

const escapes: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, (_, each: string) => escapes[each] ?? each);
}
