import { builtinKinds } from "../builtin/builtin-kinds.ts";
import { sharedFacts } from "../catalogue/facts/index.ts";
import type { TypeFacts } from "../catalogue/type-facts.ts";

/** Facts about all types: those that several kinds use, and those of single kinds. */
export const typeFacts: readonly TypeFacts[] = [
  ...sharedFacts,
  ...builtinKinds.flatMap(({ types }) => types ?? []),
];

/** Lines of one string property, `shared` ones first, split at spaces into a type and its fields. */
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
