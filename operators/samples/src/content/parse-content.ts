import { isPlainObject, messageOf } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";
import type { TSchema } from "typebox";
import { Clean, Errors } from "typebox/value";
import { error, type Finding, firstFindings } from "./finding.ts";
import { imageStreamFindings } from "./image-stream-findings.ts";
import {
  type ImageStreamFile,
  imageStreamSchema,
  type TemplateFile,
  templateSchema,
} from "./object-schemas.ts";
import { templateFindings } from "./template-findings.ts";

export type ContentKind = "imagestreams" | "templates";

/** Result of parsing a file. `object` is undefined if at least one finding is an error. */
export interface ParsedContent {
  readonly object?: KubeObject;
  readonly findings: readonly Finding[];
}

/** Maximum nesting depth. Objects in clusters have a smaller depth. */
const maxNesting = 64;

/** Parses a catalogue file that contains one object. Fields that the object's kind does not have are removed. */
export function parseContent(kind: ContentKind, text: string): ParsedContent {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    return { findings: [error(`no JSON: ${messageOf(cause)}`)] };
  }
  return checkContent(kind, value);
}

/** Validates a parsed value, like `parseContent`. */
export function checkContent(kind: ContentKind, value: unknown): ParsedContent {
  if (isNestedDeeper(value, maxNesting)) return { findings: [error(`nested deeper than ${maxNesting}`)] };
  if (!isPlainObject(value)) return { findings: [error("no object")] };
  const [expected, schema] =
    kind === "imagestreams" ? ["ImageStream", imageStreamSchema] : ["Template", templateSchema];
  if (value.kind !== expected) return { findings: [error(`kind: must be ${expected}`)] };
  const known: unknown = Clean(schema, withoutNulls({ apiVersion: "", ...value }));
  const wrong = schemaFindings(schema, known);
  if (wrong.length > 0) return { findings: firstFindings(wrong) };
  const findings = firstFindings(
    kind === "imagestreams"
      ? imageStreamFindings(known as ImageStreamFile)
      : templateFindings(known as TemplateFile),
  );
  if (findings.some(({ severity }) => severity === "error")) return { findings };
  const group = kind === "imagestreams" ? "image" : "template";
  const apiVersion = `${group}.openshift.io/v1`;
  return { findings, object: { ...(known as KubeObject), apiVersion } };
}

function schemaFindings(schema: TSchema, value: unknown): readonly Finding[] {
  return Errors(schema, value)
    .filter(({ keyword }) => keyword !== "anyOf")
    .map(({ instancePath, message }) => {
      const path = instancePath
        .slice(1)
        .replace(/\/(\d+)(?=\/|$)/g, "[$1]")
        .replaceAll("/", ".");
      return error(path === "" ? message : `${path}: ${message}`);
    });
}

/**
 * Removes null fields, because generated files contain null for unset fields. Null fields inside the objects of templates are
 * kept, because they may be significant.
 */
function withoutNulls(value: Readonly<Record<string, unknown>>): unknown {
  const clean = (each: unknown): unknown =>
    Array.isArray(each)
      ? each.map(clean)
      : isPlainObject(each)
        ? Object.fromEntries(
            Object.entries(each).flatMap(([name, member]) =>
              member === null ? [] : [[name, clean(member)]],
            ),
          )
        : each;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      member === null ? [] : [[name, name === "objects" ? member : clean(member)]],
    ),
  );
}

function isNestedDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((each) => isNestedDeeper(each, levels - 1));
}
