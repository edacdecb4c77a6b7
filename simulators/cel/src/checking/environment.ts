import { libraries } from "../functions/index.ts";
import type { Library, Overload } from "../functions/overload.ts";
import {
  bool,
  bytes,
  double,
  duration,
  dyn,
  int,
  listType,
  mapType,
  nullType,
  optionalType,
  string,
  type Type,
  timestamp,
  typeOf,
  uint,
} from "../values/type.ts";

/** Names that an expression may use: variables, functions and types. */
export interface Environment {
  readonly variables: Readonly<Record<string, Type>>;
  readonly functions: ReadonlyMap<string, readonly Overload[]>;
  /** Types by their name in expressions. */
  readonly types: Readonly<Record<string, Type>>;
}

const standardTypes: Readonly<Record<string, Type>> = {
  bool,
  bytes,
  double,
  int,
  uint,
  string,
  list: listType(dyn),
  map: mapType(dyn, dyn),
  null_type: nullType,
  optional_type: optionalType(dyn),
  type: typeOf(dyn),
  "google.protobuf.Timestamp": timestamp,
  "google.protobuf.Duration": duration,
};

let standardFunctions: ReadonlyMap<string, readonly Overload[]> | undefined;

export function environmentOf(
  variables: Readonly<Record<string, Type>>,
  extra: readonly Library[],
): Environment {
  standardFunctions ??= functionsOf(libraries);
  const types = [...libraries, ...extra].map((each) => each.types ?? {});
  return {
    variables,
    functions: extra.length === 0 ? standardFunctions : functionsOf([...libraries, ...extra]),
    types: Object.assign({}, standardTypes, ...types),
  };
}

function functionsOf(from: readonly Library[]): ReadonlyMap<string, readonly Overload[]> {
  return Map.groupBy(
    from.flatMap(({ overloads }) => overloads),
    ({ name }) => name,
  );
}
