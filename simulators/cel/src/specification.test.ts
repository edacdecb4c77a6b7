/** Runs the conformance suite of the CEL specification (google/cel-spec) for the features that Kubernetes supports. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { tests } from "@bufbuild/cel-spec/testdata/conformance.js";
import { CostBudget, compileExpression } from "./index.ts";
import * as types from "./values/type.ts";
import { errorValue, listOf, mapOf, type Result, type Value } from "./values/value.ts";

/** Test case in the JSON form of `cel.expr.conformance.test.SimpleTest`. It lists only the fields that the suite uses. */
interface Case {
  readonly name: string;
  readonly expr: string;
  readonly container?: string;
  readonly disableCheck?: boolean;
  readonly checkOnly?: boolean;
  readonly typeEnv?: readonly { readonly name: string; readonly ident?: { readonly type?: TypeJson } }[];
  readonly bindings?: Readonly<Record<string, { readonly value: ValueJson }>>;
  readonly value?: ValueJson;
  readonly typedResult?: { readonly result?: ValueJson; readonly deducedType?: TypeJson };
  readonly evalError?: object;
  readonly anyEvalErrors?: object;
}

interface TypeJson {
  readonly primitive?: "BOOL" | "BYTES" | "DOUBLE" | "INT64" | "STRING" | "UINT64";
  readonly wellKnown?: "DURATION" | "TIMESTAMP" | "ANY";
  readonly listType?: { readonly elemType?: TypeJson };
  readonly mapType?: { readonly keyType?: TypeJson; readonly valueType?: TypeJson };
  readonly messageType?: string;
  readonly abstractType?: { readonly name: string; readonly parameterTypes?: readonly TypeJson[] };
}

interface ValueJson {
  readonly nullValue?: null;
  readonly boolValue?: boolean;
  readonly int64Value?: string;
  readonly uint64Value?: string;
  readonly doubleValue?: number | "NaN" | "Infinity" | "-Infinity";
  readonly stringValue?: string;
  readonly bytesValue?: string;
  readonly typeValue?: string;
  readonly listValue?: { readonly values?: readonly ValueJson[] };
  readonly mapValue?: {
    readonly entries?: readonly { readonly key: ValueJson; readonly value: ValueJson }[];
  };
  readonly objectValue?: { readonly "@type": string; readonly value: string };
}

interface Suite {
  readonly name: string;
  readonly suites?: readonly Suite[];
  readonly tests?: readonly { readonly original: object }[];
}

/** Excluded tests by path prefix, with the reason. Kubernetes does not use the tested features. */
const leftOut: Readonly<Record<string, string>> = {
  bindings_ext: "Kubernetes has no cel.bind",
  block_ext: "syntax that only optimizers generate",
  encoders_ext: "Kubernetes has no base64 functions",
  math_ext: "Kubernetes has no math functions",
  "fields/quoted_map_fields": "Kubernetes does not support quoted identifiers",
  enums: "protocol buffer values",
  proto2: "protocol buffer values",
  proto3: "protocol buffer values",
  wrappers: "protocol buffer values",
  "comparisons/eq_wrapper": "protocol buffer values",
  "comparisons/eq_literal/eq_dyn_json_null": "protocol buffer values",
  "dynamic/": "protocol buffer values",
  "parse/whitespace": "requires protocol buffer messages",
  "parse/comments": "requires protocol buffer messages",
  namespace: "names in containers",
  "fields/qualified_identifier_resolution/":
    "qualified variable names, and keys that cel-go does not check either",
  "string_ext/format/positive infinity support for decimal": "behavior of a later version of cel-go",
  "string_ext/format/negative infinity support for decimal": "behavior of a later version of cel-go",
  "string_ext/format/dyntype NaN/infinity support": "behavior of a later version of cel-go",
  "string_ext/value_errors/indexof_out_of_range": "cel-go returns -1",
  "type_deductions/flexible_type_parameter_assignment/list_parameter":
    "cel-go infers the type of an element from the others, this package uses dyn or the first type",
  "type_deductions/flexible_type_parameter_assignment/optional_dyn_promotion":
    "cel-go infers the type of an element from the others, this package uses dyn or the first type",
  "type_deductions/flexible_type_parameter_assignment/optional_none":
    "cel-go infers the type of an element from the others, this package uses dyn or the first type",
};

const primitives = {
  BOOL: types.bool,
  BYTES: types.bytes,
  DOUBLE: types.double,
  INT64: types.int,
  STRING: types.string,
  UINT64: types.uint,
} as const;

function typeOf(json: TypeJson = {}): types.Type {
  if (json.primitive) return primitives[json.primitive];
  if (json.wellKnown === "TIMESTAMP") return types.timestamp;
  if (json.wellKnown === "DURATION") return types.duration;
  if (json.listType) return types.listType(typeOf(json.listType.elemType));
  if (json.mapType) return types.mapType(typeOf(json.mapType.keyType), typeOf(json.mapType.valueType));
  if (json.abstractType?.name === "optional_type")
    return types.optionalType(typeOf(json.abstractType.parameterTypes?.[0]));
  return types.dyn;
}

function celValue(json: ValueJson): Value {
  if (json.boolValue !== undefined) return json.boolValue;
  if (json.int64Value !== undefined) return BigInt(json.int64Value);
  if (json.uint64Value !== undefined) return { kind: "uint", value: BigInt(json.uint64Value) };
  if (json.doubleValue !== undefined) return Number(json.doubleValue);
  if (json.stringValue !== undefined) return json.stringValue;
  if (json.bytesValue !== undefined) return { kind: "bytes", bytes: Buffer.from(json.bytesValue, "base64") };
  if (json.typeValue !== undefined) return { kind: "type", name: json.typeValue };
  if (json.listValue) return listOf((json.listValue.values ?? []).map(celValue));
  if (json.mapValue)
    return mapOf((json.mapValue.entries ?? []).map(({ key, value }) => [celValue(key), celValue(value)]));
  if (json.objectValue) return wellKnown(json.objectValue);
  return null;
}

function wellKnown({ "@type": type, value }: NonNullable<ValueJson["objectValue"]>): Value {
  if (type.endsWith(".Duration"))
    return { kind: "duration", nanos: BigInt(Math.round(Number.parseFloat(value) * 1e9)) };
  const fraction = /\.(\d+)Z$/.exec(value)?.[1] ?? "";
  const whole = BigInt(Date.parse(value.replace(/\.\d+Z$/, "Z"))) * 1_000_000n;
  return { kind: "timestamp", nanos: whole + BigInt(fraction.padEnd(9, "0")) };
}

/** Returns a string that is equal for equal values of the same type. Unlike in CEL, NaN equals itself. */
function shown(value: Result | undefined): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value === "bigint") return `int ${value}`;
  if (typeof value === "number") return `double ${Object.is(value, -0) ? "-0" : value}`;
  if (typeof value !== "object") return JSON.stringify(value);
  switch (value.kind) {
    case "uint":
      return `uint ${value.value}`;
    case "bytes":
      return `bytes ${Buffer.from(value.bytes).toString("hex")}`;
    case "type":
      return `type ${value.name}`;
    case "timestamp":
    case "duration":
      return `${value.kind} ${value.nanos}`;
    case "optional":
      return `optional ${shown(value.value)}`;
    case "list":
      return `[${Array.from({ length: value.size }, (_, at) => shown(value.at(at)))}]`;
    case "map":
      return `{${value
        .keys()
        .map((key) => `${shown(key)}: ${shown(value.get(key))}`)
        .sort()}}`;
    default:
      return value.kind;
  }
}

function outcomeOf({ expr, typeEnv = [], bindings = {}, checkOnly }: Case): string {
  const declared = typeEnv.map(({ name, ident }) => [name, typeOf(ident?.type)] as const);
  const bound = Object.keys(bindings).map((name) => [name, types.dyn] as const);
  const compiled = compileExpression(expr, { variables: Object.fromEntries([...bound, ...declared]) });
  if (compiled.kind === "invalid") return compiled.message;
  if (checkOnly) return types.typeText(compiled.program.resultType);
  const values = Object.entries(bindings).map(([name, { value }]) => [name, celValue(value)] as const);
  const result = compiled.program.evaluate(Object.fromEntries(values), new CostBudget());
  return result.kind === "value"
    ? shown(result.value)
    : result.kind === "error"
      ? shown(errorValue(""))
      : result.kind;
}

function wantedOf({ evalError, anyEvalErrors, value, typedResult, checkOnly }: Case): string {
  if (checkOnly) return types.typeText(typeOf(typedResult?.deducedType));
  if (evalError || anyEvalErrors) return shown(errorValue(""));
  return shown(celValue(value ?? typedResult?.result ?? { boolValue: true }));
}

/** Returns the reason why a test does not apply to this engine. Returns undefined for a test that must run. */
function foreignTo({ container, disableCheck, typeEnv = [], bindings = {} }: Case): string | undefined {
  if (container) return "names in containers";
  if (disableCheck) return "expressions without type check";
  const isMessage = typeEnv.some(({ ident }) => !ident || JSON.stringify(ident).includes('"messageType"'));
  const bindsMessage = /"@type":"[^"]*conformance/.test(JSON.stringify(bindings));
  return isMessage || bindsMessage ? "protocol buffer values" : undefined;
}

function cases(suite: Suite, path: string): readonly { readonly path: string; readonly each: Case }[] {
  const own = (suite.tests ?? []).map(({ original }) => original as Case);
  return [
    ...own.map((each) => ({ path: `${path}${each.name}`, each })),
    ...(suite.suites ?? []).flatMap((below) => cases(below, `${path}${below.name}/`)),
  ];
}

const all = cases(tests, "");
const named = all.filter(({ path }) => !Object.keys(leftOut).some((start) => path.startsWith(start)));
const chosen = named.filter(({ each }) => foreignTo(each) === undefined);

describe(`${chosen.length} of the ${all.length} tests of the CEL specification`, () => {
  for (const { path, each } of chosen)
    test(path, () => {
      const outcome = outcomeOf(each);
      const wanted = wantedOf(each);
      // If the suite expects an evaluation error, this engine may report the error at compilation.
      if (wanted === "error" && outcome.startsWith("compilation failed")) return;
      assert.equal(outcome, wanted, each.expr);
    });
});

test("all exclusions exist in the suite", () => {
  for (const start of Object.keys(leftOut))
    assert.ok(
      all.some(({ path }) => path.startsWith(start)),
      start,
    );
});

test("number of excluded tests in the sections that Kubernetes supports", () => {
  const reasons = Map.groupBy(named, ({ each }) => foreignTo(each));
  reasons.delete(undefined);
  const counts = Object.fromEntries([...reasons].map(([reason, { length }]) => [reason, length]));
  assert.deepEqual(counts, {
    "expressions without type check": 101,
    "names in containers": 50,
    "protocol buffer values": 19,
  });
});
