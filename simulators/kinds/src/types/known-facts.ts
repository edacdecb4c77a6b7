import { builtinKinds } from "../builtin/builtin-kinds.ts";
import { sharedFacts } from "../catalogue/facts/index.ts";
import type { TypeFacts } from "../catalogue/type-facts.ts";

/** Facts about all types, which are types that several kinds share and types of single kinds. */
export const typeFacts: readonly TypeFacts[] = [
  ...sharedFacts,
  ...builtinKinds.flatMap(({ types }) => types ?? []),
];

/**
 * Returns the lines of one string property of all facts, `shared` first. Each line is split at spaces into a type name and its
 * fields.
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
