import { builtinKinds } from "../builtin/builtin-kinds.ts";
import { sharedFacts } from "../catalogue/facts/index.ts";
import type { TypeFacts } from "../catalogue/type-facts.ts";

/** Facts about the types that several kinds share, and about the types of single kinds. */
export const typeFacts: readonly TypeFacts[] = [
  ...sharedFacts,
  ...builtinKinds.flatMap(({ types }) => types ?? []),
];

/**
 * Returns the lines of one string property of all facts, preceded by the lines in `shared`. Each line is split at spaces into a
 * type name and its fields.
 */
export function factLines(
  text: "fields" | "defaults" | "mergeKeys" | "ownership" | "protobuf" | "enums",
  shared = "",
): readonly (readonly [name: string, ...fields: string[]])[] {
  return [shared, ...typeFacts.map((facts) => facts[text] ?? "")].flatMap((lines) =>
    lines
      .split("\n")
      .filter((line) => line !== "")
      .map((line): [string, ...string[]] => {
        const [name = "", ...fields] = line.split(" ");
        return [name, ...fields];
      }),
  );
}
