import type { CloudErrorCode } from "@keelson/arm";
import type { SchemaNode } from "../fields/schema.ts";
import { isWireList, isWireObject, textOf, type Wire, type WireValue } from "../fields/wire.ts";
import type { ProposedCluster } from "./proposed-cluster.ts";

/** Violation of a rule. `target` is the path of the invalid field. */
export interface Violation {
  readonly code: CloudErrorCode;
  readonly target: string;
  readonly message: string;
}

/** Input of a rule: the proposed cluster, and data of the request's target. */
export interface Examined {
  readonly cluster: ProposedCluster;
  readonly wire: Wire;
  readonly fields: readonly SchemaNode[];
  readonly creating: boolean;
  /** ID and name of the resource in the URL, in lower case. */
  readonly url: { readonly id: string; readonly name: string };
  readonly subscriptionId: string;
  readonly resourceGroup: string;
  /** Identity IDs of the stored cluster. The rules always accept these IDs. */
  readonly storedIdentityIds: readonly string[];
  /** Region and domain of the resource provider. */
  readonly location: string;
  readonly domain: string;
  readonly architectureVersion: number;
  /** True if workers must have the smallest sizes. For development only. */
  readonly requireD2sWorkers: boolean;
}

/** Static rule that depends only on the request. Rules are independent of each other. */
export interface Rule {
  /** Field to which the rule belongs. A version without this field skips the rule. */
  readonly field: string;
  readonly when: "create" | "update" | "always";
  readonly check: (examined: Examined) => Iterable<Violation>;
}

export function invalid(target: string, message: string): Violation {
  return { code: "InvalidParameter", target, message };
}

/** Creates a rule for the complete cluster or for a combination of fields. */
export function rule(field: string, check: (examined: Examined) => Iterable<Violation>): Rule {
  return { field, when: "always", check };
}

/**
 * Creates a rule for a string. The rule checks the value at every location of its path. A missing value counts as an empty
 * string.
 */
export function textRule(
  field: string,
  check: (value: string, target: string, examined: Examined) => Violation | undefined,
): Rule {
  const segments = segmentsOf(field);
  return rule(field, function* (examined) {
    for (const { target, value } of placesOf(examined.wire, segments)) {
      const violation = check(textOf(value), target, examined);
      if (violation) yield violation;
    }
  });
}

/** Creates a rule for a number. A missing value counts as zero. */
export function numberRule(
  field: string,
  check: (value: number, target: string, examined: Examined) => Violation | undefined,
): Rule {
  const segments = segmentsOf(field);
  return rule(field, function* (examined) {
    for (const { target, value } of placesOf(examined.wire, segments)) {
      const violation = check(typeof value === "number" ? value : 0, target, examined);
      if (violation) yield violation;
    }
  });
}

/** Creates a rule that accepts only the values that the version declares for the field. */
export function enumeration(field: string, message: (value: string) => string): Rule {
  /** Cached enumeration values. The keys are the fields of a version, so the number of keys is small. */
  const known = new WeakMap<readonly SchemaNode[], readonly string[]>();
  return textRule(field, (value, target, { fields }) => {
    const values = known.get(fields) ?? findField(fields, field)?.values ?? [];
    known.set(fields, values);
    return values.includes(value) ? undefined : invalid(target, message(value));
  });
}

export function onCreate(rules: readonly Rule[]): Rule[] {
  return rules.map((each) => ({ ...each, when: "create" }));
}

export function onUpdate(rules: readonly Rule[]): Rule[] {
  return rules.map((each) => ({ ...each, when: "update" }));
}

/** Returns rules that apply only if `condition` is true. */
export function onlyIf(condition: (examined: Examined) => boolean, rules: readonly Rule[]): Rule[] {
  return rules.map((each) => ({
    ...each,
    check: (examined) => (condition(examined) ? each.check(examined) : []),
  }));
}

function findField(nodes: readonly SchemaNode[], path: string): SchemaNode["field"] | undefined {
  for (const node of nodes) {
    if (node.field.path === path) return node.field;
    const found = path.startsWith(node.field.path) && findField(node.members, path);
    if (found) return found;
  }
  return undefined;
}

interface Place {
  readonly target: string;
  readonly value: WireValue | undefined;
}

/** Segment of a field's path. */
interface Segment {
  readonly name: string;
  /** Path to this segment without list elements, for example `properties.workerProfiles`. */
  readonly path: string;
}

/** Returns the segments of a field's path without list marks. The values of a cluster show which segments are lists. */
function segmentsOf(field: string): readonly Segment[] {
  const names = field.split(".").map((segment) => segment.replace("[]", ""));
  return names.map((name, depth) => ({ name, path: names.slice(0, depth + 1).join(".") }));
}

/**
 * Returns the locations of a field's path in a cluster. If the parent is missing, there is no location. If the path contains a
 * list, each element has a location.
 */
function placesOf(wire: Wire, segments: readonly Segment[]): readonly Place[] {
  const places: Place[] = [];
  addPlaces(places, wire, segments, 0, undefined);
  return places;
}

/**
 * Adds the locations below `parent`. `depth` is the number of path segments up to `parent`. `element` is the path of `parent` if
 * `parent` is in a list element. In all other cases, the path is `Segment.path`.
 */
function addPlaces(
  places: Place[],
  parent: Wire,
  segments: readonly Segment[],
  depth: number,
  element: string | undefined,
): void {
  const segment = segments[depth];
  if (!segment) return;
  const at = element === undefined ? segment.path : `${element}.${segment.name}`;
  const below = element === undefined ? undefined : at;
  const value = parent[segment.name];
  if (depth === segments.length - 1) {
    places.push({ target: at, value });
  } else if (isWireObject(value)) {
    addPlaces(places, value, segments, depth + 1, below);
  } else if (isWireList(value)) {
    for (const each of value) {
      if (!isWireObject(each)) continue;
      addPlaces(places, each, segments, depth + 1, `${at}['${textOf(each.name)}']`);
    }
  }
}
