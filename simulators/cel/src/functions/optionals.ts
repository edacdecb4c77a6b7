import { bool, dyn, optionalType, parameter } from "../values/type.ts";
import { errorValue, none, optionalOf, sizeOf, type Value } from "../values/value.ts";
import { func, type Library, method } from "./overload.ts";

const A = parameter("A");
const optionalA = optionalType(A);

function isZero(value: Value): boolean {
  switch (typeof value) {
    case "string":
      return value === "";
    case "bigint":
      return value === 0n;
    case "number":
      return value === 0;
    case "boolean":
      return !value;
    default:
  }
  if (value === null) return true;
  switch (value.kind) {
    case "list":
    case "map":
    case "bytes":
      return sizeOf(value) === 0;
    case "uint":
      return value.value === 0n;
    case "duration":
      return value.nanos === 0n;
    case "object":
      return value.fields().length === 0;
    case "optional":
      return value.value === undefined;
    default:
      return false;
  }
}

export const optionals: Library = {
  overloads: [
    func("optional.none", [], optionalType(dyn), () => none),
    func("optional.of", [A], optionalA, ([value]) => optionalOf(value)),
    func("optional.ofNonZeroValue", [A], optionalA, ([value], meter) => {
      meter.work(sizeOf(value) * 0.1);
      return isZero(value) ? none : optionalOf(value);
    }),
    method("hasValue", [optionalA], bool, ([{ value }]) => value !== undefined),
    method("value", [optionalA], A, ([{ value }]) =>
      value === undefined ? errorValue("optional.none() dereference") : value,
    ),
    method("or", [optionalA, optionalA], optionalA, ([a, b]) => (a.value === undefined ? b : a)),
    method("orValue", [optionalA, A], A, ([{ value }, otherwise]) =>
      value === undefined ? otherwise : value,
    ),
  ],
};
