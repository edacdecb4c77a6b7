/**
 * Generates `types.generated.txt` from `openapi/openapi.json` of openshift/api. Only names and types of fields are read, no
 * descriptions. `--update FILE` writes the result, `FILE` alone reports a difference.
 */
import { readFile, writeFile } from "node:fs/promises";
import process from "node:process";
import { listAt, objectAt, stringAt, valueAt } from "@keelson/base";

const groups = [
  "apps",
  "authorization",
  "build",
  "image",
  "oauth",
  "project",
  "security",
  "template",
  "user",
];
/** Types of other projects that are small enough to be listed. All others accept any fields. */
const others = new Set([
  "EnvVar.v1.core.api.k8s.io",
  "LocalObjectReference.v1.core.api.k8s.io",
  "ObjectReference.v1.core.api.k8s.io",
]);
const scalars: Readonly<Record<string, string>> = {
  "IntOrString.intstr.util.pkg.apimachinery.k8s.io": "x",
  "Time.v1.meta.apis.pkg.apimachinery.k8s.io": "t",
};
const formats: Readonly<Record<string, string>> = { int32: "i", int64: "l", byte: "y", "date-time": "t" };
const prefix = "com.github.openshift.api.";

const update = process.argv.includes("--update");
const [file] = process.argv.slice(2).filter((each) => each !== "--update");
const target = new URL("types.generated.txt", import.meta.url);
if (file === undefined) {
  process.stderr.write(
    "usage: generate.ts [--update] FILE, for example openshift-api/openapi/openapi.json\n",
  );
  process.exitCode = 2;
} else {
  const generated = linesOf(objectAt(JSON.parse(await readFile(file, "utf8")), "definitions"));
  if (update) await writeFile(target, generated);
  else if (generated !== (await readFile(target, "utf8"))) {
    process.stdout.write("types.generated.txt differs. Run this program with --update.\n");
    process.exitCode = 1;
  }
}

function linesOf(definitions: Readonly<Record<string, unknown>>): string {
  const lines = new Map<string, string>();
  const waiting = Object.keys(definitions).filter((key) => isKind(key, definitions[key]));
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    const name = nameOf(key);
    if (lines.has(name)) continue;
    const required = listAt(definitions[key], "required").map(String);
    const fields = Object.entries(objectAt(definitions[key], "properties"))
      .map(([field, schema]) => `${field}${required.includes(field) ? "!" : ""}:${typeOf(schema, waiting)}`)
      .sort();
    lines.set(name, [name, ...fields].join(" "));
  }
  return `${[...lines.values()].sort().join("\n")}\n`;
}

function isKind(key: string, definition: unknown): boolean {
  return (
    groups.some((group) => key.startsWith(`${prefix}${group}.v1.`)) &&
    valueAt(definition, "properties", "apiVersion") !== undefined &&
    !key.endsWith("List")
  );
}

/** Returns the short name, for example `image.v1.ImageStream` or `EnvVar`. */
function nameOf(key: string): string {
  return key.startsWith(prefix) ? key.slice(prefix.length) : (key.split(".")[0] ?? key);
}

function typeOf(schema: unknown, waiting: string[]): string {
  const reference = (stringAt(schema, "$ref") ?? "").replace("#/definitions/", "");
  if (reference) {
    const scalar = scalars[reference];
    if (scalar) return scalar;
    if (!reference.startsWith(prefix) && !others.has(reference)) return "*";
    waiting.push(reference);
    return nameOf(reference);
  }
  const type = stringAt(schema, "type");
  if (type === "array") return `[]${typeOf(valueAt(schema, "items"), waiting)}`;
  if (type === "object") {
    const values = valueAt(schema, "additionalProperties");
    return values === undefined ? "*" : `{}${typeOf(values, waiting)}`;
  }
  if (type === "boolean") return "b";
  const format = formats[stringAt(schema, "format") ?? ""];
  if (format) return format;
  return type === "string" ? "s" : type === "integer" ? "l" : "*";
}
