import type { ApiVersion, Models } from "../api-versions/version.ts";
import type { SchemaNode } from "../fields/schema.ts";
import { isWireList, isWireObject, textOf, type Wire, type WireValue } from "../fields/wire.ts";
import type { Violation } from "../rules/rule.ts";

const identities = "properties.platformWorkloadIdentityProfile.platformWorkloadIdentities";

/**
 * Returns one violation for each change that the version forbids, in the order of the version's fields. A version forbids changes
 * of all fields that it does not declare as mutable.
 */
export function validateDelta(version: ApiVersion, proposed: Wire, current: Wire): readonly Violation[] {
  return [
    ...deltaOfMembers(version.deltaFields, proposed, current, "", version.models),
    ...removedIdentities(proposed, current),
  ];
}

function* deltaOfMembers(
  nodes: readonly SchemaNode[],
  proposed: Wire,
  current: Wire,
  path: string,
  models: Models,
): Iterable<Violation> {
  for (const node of nodes) {
    const at = path === "" ? node.name : `${path}.${node.name}`;
    const { mutable, readOnly } = node.field;
    if (readOnly) {
      const sent = proposed[node.name];
      if (readOnly.sent !== "refused if changed") {
        if (isRefused(sent, readOnly.sent)) yield changeNotAllowed(at);
      } else if (sent !== undefined) {
        const changes = [...deltaOfField(node, sent, current[node.name], at, models)];
        // All changes in a read-only list are reported as one change of the list, because clients do not set its elements.
        if (node.field.type !== "list") yield* changes;
        else if (changes.length > 0) yield changeNotAllowed(at);
      }
    } else if (!mutable) {
      yield* deltaOfField(node, proposed[node.name], current[node.name], at, models);
    }
  }
}

/** True if the proposed value of a field equals the current one. */
export function isUnchanged(
  node: SchemaNode,
  proposed: WireValue | undefined,
  current: WireValue | undefined,
): boolean {
  // The last argument affects only the paths of changes, which are not used here.
  const [change] = deltaOfField(node, proposed, current, node.name, "generated");
  return change === undefined;
}

function isRefused(
  sent: WireValue | undefined,
  rule: "refused" | "refused unless empty" | "ignored",
): boolean {
  if (sent === undefined || rule === "ignored") return false;
  return rule === "refused" || sent !== "";
}

function* deltaOfField(
  node: SchemaNode,
  proposed: WireValue | undefined,
  current: WireValue | undefined,
  at: string,
  models: Models,
): Iterable<Violation> {
  switch (node.field.type) {
    case "text":
    case "time":
      if (!sameText(textOf(proposed), textOf(current), node.field.ignoreCase)) yield changeNotAllowed(at);
      return;
    case "integer":
      if ((proposed ?? 0) !== (current ?? 0)) yield changeNotAllowed(at);
      return;
    case "boolean":
      if ((proposed ?? false) !== (current ?? false)) yield changeNotAllowed(at);
      return;
    case "object":
      if (node.field.presence === "optional" && (proposed === undefined) !== (current === undefined)) {
        yield changeNotAllowed(at);
        return;
      }
      yield* deltaOfMembers(node.members, asObject(proposed), asObject(current), at, models);
      return;
    case "list":
      yield* deltaOfList(node, proposed, current, at, models);
      return;
    case "map":
    case "text map":
      yield* deltaOfMap(node, asObject(proposed), asObject(current), at, models);
  }
}

/**
 * Compares lists. Changes of elements with a name are reported under this name. In hand-written models, a missing name counts as
 * an empty string.
 */
function* deltaOfList(
  node: SchemaNode,
  proposed: WireValue | undefined,
  current: WireValue | undefined,
  at: string,
  models: Models,
): Iterable<Violation> {
  const before = isWireList(current) ? current : undefined;
  const after = isWireList(proposed) ? proposed : undefined;
  if (before?.length !== after?.length) {
    yield changeNotAllowed(at);
    return;
  }
  const hasNames = node.members.some((member) => member.name === "name");
  for (const [index, element] of (after ?? []).entries()) {
    const wire = asObject(element);
    const isNamed = hasNames && (models === "hand-written" || wire.name !== undefined);
    const key = isNamed ? `'${textOf(wire.name)}'` : index;
    yield* deltaOfMembers(node.members, wire, asObject(before?.[index]), `${at}[${key}]`, models);
  }
}

function* deltaOfMap(
  node: SchemaNode,
  proposed: Wire,
  current: Wire,
  at: string,
  models: Models,
): Iterable<Violation> {
  const keys = Object.keys(proposed);
  if (keys.length !== Object.keys(current).length || !keys.every((key) => Object.hasOwn(current, key))) {
    yield changeNotAllowed(at);
    return;
  }
  for (const key of keys) {
    const entryAt = `${at}[${JSON.stringify(key)}]`;
    if (node.field.type === "map") {
      yield* deltaOfMembers(node.members, asObject(proposed[key]), asObject(current[key]), entryAt, models);
    } else if (proposed[key] !== current[key]) {
      yield changeNotAllowed(entryAt);
    }
  }
}

/**
 * Yields a violation if the update removes an operator identity. A workload identity cluster may add and replace identities, but
 * must not remove them.
 */
function* removedIdentities(proposed: Wire, current: Wire): Iterable<Violation> {
  const before = Object.keys(identitiesOf(current));
  const after = identitiesOf(proposed);
  if (before.every((operator) => Object.hasOwn(after, operator))) return;
  yield {
    code: "PropertyChangeNotAllowed",
    target: identities,
    message: "Operator identity cannot be removed or have its name changed.",
  };
}

function identitiesOf(wire: Wire): Wire {
  const profile = asObject(asObject(wire.properties).platformWorkloadIdentityProfile);
  return asObject(profile.platformWorkloadIdentities);
}

function changeNotAllowed(path: string): Violation {
  return {
    code: "PropertyChangeNotAllowed",
    target: path,
    message: `Changing property '${path}' is not allowed.`,
  };
}

function sameText(a: string, b: string, ignoreCase = false): boolean {
  return a === b || (ignoreCase && a.toLowerCase() === b.toLowerCase());
}

function asObject(value: WireValue | undefined): Wire {
  return isWireObject(value) ? value : {};
}
