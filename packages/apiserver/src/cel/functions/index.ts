import { lists } from "./lists.ts";
import { operators } from "./operators.ts";
import { optionals } from "./optionals.ts";
import type { Library } from "./overload.ts";
import { regexes } from "./regexes.ts";
import { sets } from "./sets.ts";
import { standard } from "./standard.ts";
import { strings } from "./strings.ts";
import { times } from "./times.ts";

/** What every expression may call: CEL's standard functions, and the libraries that Kubernetes adds. */
export const libraries: readonly Library[] = [
  operators,
  standard,
  times,
  strings,
  lists,
  sets,
  optionals,
  regexes,
];
