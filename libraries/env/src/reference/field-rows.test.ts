import assert from "node:assert/strict";
import { test } from "node:test";
import { Type } from "typebox";
import { fieldRows } from "./field-rows.ts";

const closed = { additionalProperties: false };
const rows = (schema: object) =>
  fieldRows(schema).map(({ path, variant, type, isRequired, default: value }) =>
    [path, variant ?? "-", type, isRequired ? "required" : (value ?? "-")].join(" | "),
  );

test("fields have their type, unit, range and default", () => {
  const schema = Type.Object({
    name: Type.String(),
    port: Type.Integer({ minimum: 0, maximum: 65_535, default: 8_443 }),
    leaseMs: Type.Integer({ minimum: 1_000, default: 60_000 }),
    mode: Type.Optional(Type.Union([Type.Literal("apply"), Type.Literal("require")])),
    level: Type.Enum(["info", "warn"]),
    tags: Type.Array(Type.String(), { default: [] }),
  });
  assert.deepEqual(rows(schema), [
    "name | - | string | required",
    "port | - | integer, 0 to 65535 | 8443",
    "leaseMs | - | integer, milliseconds, at least 1000 | 60000",
    'mode | - | "apply" or "require" | -',
    'level | - | "info" or "warn" | required',
    "tags | - | list of string | []",
  ]);
});

test("fields of objects, lists, records and alternatives follow their parent", () => {
  const schema = Type.Object({
    tls: Type.Object({ keyFile: Type.String() }, closed),
    regions: Type.Optional(Type.Array(Type.Object({ url: Type.String() }))),
    callers: Type.Record(Type.String(), Type.Object({ role: Type.String() })),
    database: Type.Union([
      Type.Object({ kind: Type.Literal("embedded"), directory: Type.String() }),
      Type.Object({ kind: Type.Literal("postgres"), url: Type.String() }),
    ]),
    encryption: Type.Union([
      Type.Object({ current: Type.String(), keys: Type.String() }),
      Type.Object({ keysFile: Type.String(), refreshMs: Type.Integer() }),
    ]),
  });
  assert.deepEqual(rows(schema), [
    "tls | - | object | required",
    "tls.keyFile | - | string | required",
    "regions | - | list of object | -",
    "regions[].url | - | string | required",
    "callers | - | object | required",
    "callers.*.role | - | string | required",
    "database | - | object | required",
    'database.kind | kind: embedded | "embedded" | required',
    "database.directory | kind: embedded | string | required",
    'database.kind | kind: postgres | "postgres" | required',
    "database.url | kind: postgres | string | required",
    "encryption | - | object | required",
    "encryption.current | with current | string | required",
    "encryption.keys | with current | string | required",
    "encryption.keysFile | with keysFile | string | required",
    "encryption.refreshMs | with keysFile | integer, milliseconds | required",
  ]);
});

test("fields of a section have the roles of the section", () => {
  const schema = Type.Object({
    location: Type.String(),
    monitor: Type.Object({ everyMs: Type.Integer() }, { roles: ["monitor"] }),
  });
  assert.deepEqual(
    fieldRows(schema).map(({ path, roles }) => [path, roles]),
    [
      ["location", []],
      ["monitor", ["monitor"]],
      ["monitor.everyMs", ["monitor"]],
    ],
  );
});

test("secrets and files that are read again are marked", () => {
  const schema = Type.Object({
    key: Type.String({ secret: true }),
    keysFile: Type.String({ reread: true }),
  });
  assert.deepEqual(
    fieldRows(schema).map(({ path, isSecret, isReread }) => [path, isSecret, isReread]),
    [
      ["key", true, false],
      ["keysFile", false, true],
    ],
  );
});
