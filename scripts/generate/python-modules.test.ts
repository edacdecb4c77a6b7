import assert from "node:assert/strict";
import { test } from "node:test";
import type { OpenApiDocument, Schema } from "@keelson/openapi";
import { pythonModules } from "./python-modules.ts";

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

const bolt: Schema = { properties: { size: { type: "integer", readOnly: true } } };
const widget: Schema = { properties: { bolt: to("Bolt"), others: { type: "array", items: to("Widget") } } };

test("what has not changed comes from the oldest package that has it", () => {
  const modules = pythonModules([
    documentOf("2031-01-01", { Widget: { ...widget, description: "Changed." }, Bolt: bolt }),
    documentOf("2030-01-01", { Widget: widget, Bolt: bolt }),
  ]);
  const [first = "", second = ""] = ["v2030_01_01", "v2031_01_01"].map((each) =>
    modules.get(`${each}/models.py`),
  );
  assert.match(
    first,
    /^class Widget\(Model\):\n {4}bolt: Optional\[Bolt\] = rest_field\("bolt", of=lambda: Bolt\)$/m,
  );
  assert.match(first, /^ {4}size: Optional\[int\] = rest_field\("size", read_only=True\)$/m);
  assert.match(
    first,
    /^ {4}others: Optional\[list\[Widget\]\] = rest_field\("others", of=lambda: Widget, many="list"\)$/m,
  );
  assert.match(second, /^from \.\.v2030_01_01\.models import \(\n {4}Bolt,\n\)$/m);
  assert.match(second, /^class Widget/m);
  assert.doesNotMatch(second, /^class Bolt/m);
  const operations = modules.get("v2031_01_01/aio/operations.py") ?? "";
  assert.match(operations, /^from \.\.\.v2030_01_01\.aio\.operations import \(\n {4}BoltsOperations,\n\)$/m);
  assert.match(
    operations,
    /^class WidgetsOperations\(\n {4}_operations\.Widgets_v2030_01_01\[\n {8}models\.Widget,\n {4}\]\n\):$/m,
  );
  const shared = modules.get("aio/_operations.py") ?? "";
  assert.match(
    shared,
    /^class Widgets_v2030_01_01\(_Operations, Generic\[Widget\]\):\n {4}async def get\($/m,
  );
  assert.match(shared, /await self\._connection\.call\(call, self\._models\.Widget, kwargs\)$/m);
});

test("the package without a version is the newest that is no preview", () => {
  const definitions = { Widget: widget, Bolt: bolt };
  const modules = pythonModules([
    documentOf("2030-01-01", definitions),
    documentOf("2031-01-01", definitions),
    documentOf("2032-01-01-preview", definitions),
  ]);
  assert.match(modules.get("__init__.py") ?? "", /^from \.v2031_01_01 import AzureRedHatOpenShiftClient$/m);
  assert.match(
    modules.get("_api_versions.py") ?? "",
    /"2030-01-01",\n {4}"2031-01-01",\n {4}"2032-01-01-preview"/,
  );
});

test("a base class precedes its subclasses", () => {
  const modules = pythonModules([
    documentOf("2030-01-01", {
      Bolt: { allOf: [to("Widget")], properties: { size: { type: "integer" } } },
      Widget: { properties: { name: { type: "string" } } },
    }),
  ]);
  const models = modules.get("v2030_01_01/models.py") ?? "";
  assert.ok(models.indexOf("class Widget(") < models.indexOf("class Bolt(Widget)"));
});
