import { bool, int, opaqueType, string } from "../values/type.ts";
import { errorValue, type OpaqueValue, type Result } from "../values/value.ts";
import { func, type Library, method } from "./overload.ts";

interface Semver {
  readonly numbers: readonly [bigint, bigint, bigint];
  readonly prerelease: readonly string[];
}

const typeName = "kubernetes.Semver";
const type = opaqueType(typeName);
const perTenth = (size = 1) => Math.ceil(size * 0.1);

const pattern =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+[0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*)?$/;

function parse(text: string): Semver | undefined {
  const found = text.length <= 256 ? pattern.exec(text) : null;
  if (!found) return undefined;
  const [, major = "0", minor = "0", patch = "0", prerelease] = found;
  return {
    numbers: [BigInt(major), BigInt(minor), BigInt(patch)],
    prerelease: prerelease ? prerelease.split(".") : [],
  };
}

/** Normalizes a version: `v1.02` becomes `1.2.0`. */
function normalized(text: string): string {
  const [core = "", ...rest] = text.replace(/^v/, "").split(/(?=[-+])/);
  const numbers = core.split(".").map((each) => each.replace(/^0+(?=\d)/, ""));
  while (numbers.length < 3) numbers.push("0");
  return `${numbers.join(".")}${rest.join("")}`;
}

function made(text: string): Result {
  return parse(text)
    ? { kind: "opaque", typeName, content: text, key: text.replace(/\+.*$/, "") }
    : errorValue(`semver parse error during conversion from string: ${text.slice(0, 200)}`);
}

function open({ key }: OpaqueValue): Semver {
  return parse(key) ?? { numbers: [0n, 0n, 0n], prerelease: [] };
}

function order(a: Semver, b: Semver): number {
  for (const [at, number] of a.numbers.entries()) {
    const other = b.numbers[at] ?? 0n;
    if (number !== other) return number < other ? -1 : 1;
  }
  if (a.prerelease.length === 0 || b.prerelease.length === 0) {
    return Math.sign(b.prerelease.length - a.prerelease.length);
  }
  for (const [at, part] of a.prerelease.entries()) {
    const other = b.prerelease[at];
    if (other === undefined) return 1;
    if (part !== other) return partOrder(part, other);
  }
  return a.prerelease.length < b.prerelease.length ? -1 : 0;
}

/** Compares prerelease identifiers. Numbers are compared by value and are less than words. */
function partOrder(a: string, b: string): number {
  const numeric = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (numeric[0] && numeric[1]) return BigInt(a) < BigInt(b) ? -1 : 1;
  if (numeric[0] !== numeric[1]) return numeric[0] ? -1 : 1;
  return a < b ? -1 : 1;
}

export const semvers: Library = {
  types: { [typeName]: type },
  overloads: [
    func("isSemver", [string], bool, ([text]) => parse(text) !== undefined, perTenth),
    func(
      "isSemver",
      [string, bool],
      bool,
      ([text, loose]) => parse(loose ? normalized(text) : text) !== undefined,
      perTenth,
    ),
    func("semver", [string], type, ([text]) => made(text), perTenth),
    func("semver", [string, bool], type, ([text, loose]) => made(loose ? normalized(text) : text), perTenth),
    ...["major", "minor", "patch"].map((name, at) =>
      method(name, [type], int, ([value]) => open(value).numbers[at] ?? 0n),
    ),
    method("compareTo", [type, type], int, ([a, b]) => BigInt(order(open(a), open(b)))),
    method("isGreaterThan", [type, type], bool, ([a, b]) => order(open(a), open(b)) > 0),
    method("isLessThan", [type, type], bool, ([a, b]) => order(open(a), open(b)) < 0),
  ],
};
