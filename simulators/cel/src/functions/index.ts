import { addresses } from "./addresses.ts";
import { formats } from "./formats.ts";
import { lists } from "./lists.ts";
import { operators } from "./operators.ts";
import { optionals } from "./optionals.ts";
import type { Library } from "./overload.ts";
import { quantities } from "./quantities.ts";
import { regexes } from "./regexes.ts";
import { semvers } from "./semvers.ts";
import { sets } from "./sets.ts";
import { standard } from "./standard.ts";
import { strings } from "./strings.ts";
import { times } from "./times.ts";
import { urls } from "./urls.ts";

/** Functions that every expression can use: CEL's standard functions and Kubernetes' libraries. */
export const libraries: readonly Library[] = [
  operators,
  standard,
  times,
  strings,
  lists,
  sets,
  optionals,
  regexes,
  urls,
  quantities,
  addresses,
  semvers,
  formats,
];
