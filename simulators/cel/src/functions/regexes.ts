import { withRegex } from "../values/match-text.ts";
import type { Meter } from "../values/meter.ts";
import { int, listType, string } from "../values/type.ts";
import { errorValue, listOf, type Result } from "../values/value.ts";
import { type Library, method } from "./overload.ts";

const cost = (text = 1, pattern = 1) => Math.ceil((text + 1) * 0.1) * Math.ceil(pattern * 0.25);

function findAll(text: string, pattern: string, limit: number, meter: Meter): Result {
  const found = withRegex(pattern, text, meter, (regex) => {
    const all: string[] = [];
    if (limit === 0) return all;
    for (const each of regex.find(text)) {
      meter.spend(10);
      all.push(each);
      if (all.length >= limit) break;
    }
    return all;
  });
  return found ? listOf(found) : errorValue(`Illegal regex: ${pattern.slice(0, 200)}`);
}

export const regexes: Library = {
  overloads: [
    method(
      "find",
      [string, string],
      string,
      ([text, pattern], meter) => {
        const all = findAll(text, pattern, 1, meter);
        return typeof all === "object" && all?.kind === "list" ? (all.size > 0 ? all.at(0) : "") : all;
      },
      cost,
    ),
    method(
      "findAll",
      [string, string],
      listType(string),
      ([text, pattern], meter) => findAll(text, pattern, Number.POSITIVE_INFINITY, meter),
      cost,
    ),
    method(
      "findAll",
      [string, string, int],
      listType(string),
      ([text, pattern, limit], meter) =>
        findAll(text, pattern, limit < 0n ? Number.POSITIVE_INFINITY : Number(limit), meter),
      cost,
    ),
  ],
};
