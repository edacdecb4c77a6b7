import { isPlainObject } from "@keelson/base";

/** Invalid values for fields without a schema. `undefined` removes the field. */
const hostileValues: readonly unknown[] = [
  undefined,
  null,
  "",
  "text",
  "../../etc/passwd?a=b#c",
  -1,
  1e300,
  true,
  [],
  [null],
  ["text", 7, {}],
  {},
  { unexpected: { toString: null, constructor: 7, length: -1 } },
  "x".repeat(100_000),
  nested(100),
];

function nested(depth: number): unknown {
  return depth === 0 ? {} : { items: [nested(depth - 1)] };
}

/** Returns a generator of numbers from 0 to 1. Equal seeds produce equal sequences. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Replaces the value, or one of its fields at any depth, with an invalid value. */
export function spoiled(value: unknown, random: () => number): unknown {
  const members = isPlainObject(value) ? Object.keys(value) : Array.isArray(value) ? [...value.keys()] : [];
  const member = members[Math.floor(random() * (members.length + 1))];
  if (member === undefined) return hostileValues[Math.floor(random() * hostileValues.length)];
  const inner = (value as Readonly<Record<string | number, unknown>>)[member];
  const after = spoiled(inner, random);
  if (Array.isArray(value)) return value.with(Number(member), after ?? null);
  const others = Object.entries(value as object).filter(([name]) => name !== String(member));
  return Object.fromEntries(after === undefined ? others : [...others, [String(member), after]]);
}

const levels = ["b", "c", "d", "e", "f", "g", "h", "i"];
/** Short YAML document that expands to 10^9 values when its aliases are resolved. */
const growing = `a: &a [${"x,".repeat(10)}]\n${levels
  .map((name, index) => `${name}: &${name} [${`*${["a", ...levels][index]},`.repeat(10)}]\n`)
  .join("")}receivers: *i\n`;

/** Invalid or malicious documents for fields that contain JSON or YAML. */
export const hostileTexts: readonly Buffer[] = [
  "",
  "null",
  "[]",
  "{",
  "\t- : :",
  "a: b: c",
  "receivers: [null, 7, {name: [Default]}, {name: Default, webhook_configs: 7}]",
  "prometheusK8s: []\nalertmanagerMain: text",
  '{"auths":{"arosvc.azurecr.io":null},"__proto__":7,"constructor":{}}',
  "[".repeat(20_000),
  growing,
  "x".repeat(200_000),
  "--- a\n--- b\n",
  "%YAML 7.7\n---\n!!js/function x",
]
  .map((text) => Buffer.from(text))
  .concat(Buffer.from([0xff, 0xfe, 0x00, 0x80]));
