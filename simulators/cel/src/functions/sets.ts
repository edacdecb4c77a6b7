import { equals } from "../values/equality.ts";
import type { Meter } from "../values/meter.ts";
import { bool, listType, parameter } from "../values/type.ts";
import type { ListValue, Result } from "../values/value.ts";
import { func, type Library } from "./overload.ts";

const listOfA = listType(parameter("A"));

function has(list: ListValue, wanted: Result, meter: Meter): boolean {
  for (let at = 0; at < list.size; at++) {
    meter.spend(1);
    if (equals(list.at(at), wanted, meter)) return true;
  }
  return false;
}

function containsAll(list: ListValue, part: ListValue, meter: Meter): boolean {
  for (let at = 0; at < part.size; at++) {
    if (!has(list, part.at(at), meter)) return false;
  }
  return true;
}

function intersects(a: ListValue, b: ListValue, meter: Meter): boolean {
  for (let at = 0; at < a.size; at++) {
    if (has(b, a.at(at), meter)) return true;
  }
  return false;
}

export const sets: Library = {
  overloads: [
    func("sets.contains", [listOfA, listOfA], bool, ([a, b], meter) => containsAll(a, b, meter)),
    func("sets.intersects", [listOfA, listOfA], bool, ([a, b], meter) => intersects(a, b, meter)),
    func(
      "sets.equivalent",
      [listOfA, listOfA],
      bool,
      ([a, b], meter) => containsAll(a, b, meter) && containsAll(b, a, meter),
    ),
  ],
};
