import assert from "node:assert/strict";
import { test } from "node:test";
import type { OpenApiDocument, Schema } from "@keelson/openapi";
import { typescriptModules } from "./typescript-modules.ts";

const to = (name: string): Schema => ({ $ref: `#/definitions/${name}` });

function documentOf(version: string, definitions: Readonly<Record<string, Schema>>): OpenApiDocument {
  const operation = (operationId: string, schema: Schema) => ({
    get: { operationId, responses: { 200: { schema } } },
  });
  return {
    swagger: "2.0",
    info: { title: "Widgets", version },
    paths: { "/widget": operation("Widgets_Get", to("Widget")), "/bolt": operation("Bolts_Get", to("Bolt")) },
    definitions,
  };
}

const bolt: Schema = { properties: { size: { type: "integer" } } };
const widget: Schema = { properties: { bolt: to("Bolt"), other: to("Widget") } };

test("what has not changed comes from the oldest module that has it", () => {
  const modules = typescriptModules([
    documentOf("2032-01-01", { Widget: widget, Bolt: { properties: { size: { type: "string" } } } }),
    documentOf("2030-01-01", { Widget: widget, Bolt: bolt }),
    documentOf("2031-01-01", { Widget: { ...widget, description: "Changed." }, Bolt: bolt }),
  ]);
  const [first = "", second = "", third = ""] = ["2030-01-01", "2031-01-01", "2032-01-01"].map((v) =>
    modules.get(v),
  );
  for (const name of [
    "interface Bolt",
    "interface Widget",
    "class BoltsOperations",
    "class WidgetsOperations",
  ])
    assert.match(first, new RegExp(`^export ${name} `, "m"));
  assert.match(second, /^import \{\n {2}BoltsOperations,\n {2}type Bolt,\n\} from "\.\/2030-01-01\.ts";$/m);
  assert.match(second, /^export \{\n {2}BoltsOperations,\n {2}type Bolt,\n\} from "\.\/2030-01-01\.ts";$/m);
  assert.match(second, /^export interface Widget /m);
  assert.match(second, /^export class WidgetsOperations /m);
  assert.doesNotMatch(second, /^export interface Bolt /m);
  assert.doesNotMatch(third, /"\.\/203/, "everything needs the type that has changed");
});

test("versions share the class with the operations of a group", () => {
  const modules = typescriptModules([
    documentOf("2030-01-01", { Widget: widget, Bolt: bolt }),
    documentOf("2031-01-01", { Widget: { ...widget, description: "Changed." }, Bolt: bolt }),
  ]);
  for (const version of ["2030-01-01", "2031-01-01"])
    assert.match(
      modules.get(version) ?? "",
      /^export class WidgetsOperations extends shared\.Widgets_2030_01_01<Widget> \{\}$/m,
    );
  const shared = modules.get("shared/operations") ?? "";
  assert.match(
    shared,
    /^export abstract class Widgets_2030_01_01<Widget> extends Operations \{\n {2}get\(options: OperationOptions = \{\}\): Promise<Widget> \{$/m,
  );
});

test("a client has each group, from wherever it comes", () => {
  const modules = typescriptModules([
    documentOf("2030-01-01", { Widget: widget, Bolt: bolt }),
    documentOf("2031-01-01", { Widget: widget, Bolt: bolt }),
  ]);
  const second = modules.get("2031-01-01") ?? "";
  assert.match(second, /^ {4}this\.bolts = new BoltsOperations\(connection\);$/m);
  assert.match(second, /^export const apiVersion = "2031-01-01";$/m);
});
