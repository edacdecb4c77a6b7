import { builtinKinds } from "../builtin/builtin-kinds.ts";
import { sharedFacts } from "../catalogue/facts/index.ts";
import type { TypeFacts } from "../catalogue/type-facts.ts";

/** What is known of all types: of those that several kinds have, and of each kind's own. */
export const typeFacts: readonly TypeFacts[] = [
  ...sharedFacts,
  ...builtinKinds.flatMap(({ types }) => types ?? []),
];

/** The lines of one of the texts, `shared` ones first, each split at its spaces: a type and its fields. */
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
