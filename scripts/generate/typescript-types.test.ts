import assert from "node:assert/strict";
import { test } from "node:test";
import type { Schema } from "@keelson/openapi";
import { typeDeclaration, typeExpression, words } from "./typescript-types.ts";

const expressions: readonly (readonly [Schema, string])[] = [
  [{ type: "string", format: "uuid" }, "string"],
  [{ type: "integer", format: "int32" }, "number"],
  [{ type: "boolean" }, "boolean"],
  [{ $ref: "#/definitions/Widget" }, "Widget"],
  [{ $ref: "#/definitions/Widget", "x-nullable": true }, "Widget | null"],
  [{ type: "array", items: { type: "string", enum: ["a", "b"] } }, 'Array<"a" | "b">'],
  [{ type: "object", additionalProperties: { type: "string" } }, "Record<string, string>"],
  [{ type: "object", properties: { id: { type: "string" } } }, "{\n  id?: string;\n}"],
  [{}, "unknown"],
];
for (const [schema, expected] of expressions) {
  test(`${JSON.stringify(schema)} is ${expected.replaceAll("\n", " ")}`, () => {
    assert.equal(typeExpression(schema), expected);
  });
}

test("definitions become interfaces, unions and names", () => {
  const definitions: Readonly<Record<string, Schema>> = {
    Widget: {
      description: "A widget.",
      allOf: [{ $ref: "#/definitions/Base" }],
      properties: {
        size: { type: "integer", description: "In metres." },
        at: { type: "string", readOnly: true },
      },
      required: ["size"],
    },
    Colour: { type: "string", enum: ["red"], "x-ms-enum": { modelAsString: true } },
    Shape: { type: "string", enum: ["round", "square"] },
    Id: { type: "string", format: "uuid" },
  };
  assert.equal(
    Object.entries(definitions)
      .map(([name, schema]) => typeDeclaration(name, schema))
      .join("\n"),
    `/** A widget. */
export interface Widget extends Base {
  /** In metres. */
  size: number;
  readonly at?: string;
}

export type Colour = "red" | (string & {});

export type Shape = "round" | "square";

export type Id = string;
`,
  );
});

test("words cannot end their comment", () => {
  assert.equal(words("one */ two", ""), "/** one *\\/ two */\n");
  assert.equal(words("one\n two", "  "), "  /**\n   * one\n   * two\n   */\n");
});
