import type { JsonObject } from "@keelson/base";
import { members } from "../base/json.ts";
import type { Table } from "../store/store.ts";
import { ArmError } from "./arm-error.ts";
import { keyOf } from "./arm-path.ts";
import type { ArmRequest, ArmResponse } from "./exchange.ts";
import { page } from "./paging.ts";
import { methodNotAllowed, noRoute, only } from "./refusals.ts";
import type { Subscription } from "./subscription.ts";

/** Tag name that a client created, with its values. Resources can also use tag names that no client created. */
interface TagName {
  readonly name: string;
  readonly values: readonly string[];
}

/**
 * Handles paths below `/subscriptions/{id}/tagNames`. `segments` contains the segments that follow this prefix.
 * @throws ArmError
 */
export function tagNames(
  subscription: Subscription,
  segments: readonly string[],
  request: ArmRequest,
): ArmResponse {
  const [name, kind, value, ...more] = segments;
  const used = tagsInUse(subscription);
  if (name === undefined) {
    return only(request, "GET", () =>
      page(
        request,
        all(subscription, used),
        (each) => keyOf(each.name),
        (each) => rendered(subscription, each, used),
        subscription.pageSize,
      ),
    );
  }
  const isName = kind === undefined;
  if (more.length > 0 || (!isName && (kind.toLowerCase() !== "tagvalues" || value === undefined))) {
    throw noRoute(request);
  }
  const table = made(subscription);
  const before = table.get(keyOf(name));
  const others = (before?.values ?? []).filter((each) => each !== value);
  switch (request.method) {
    case "PUT": {
      const after = { name: before?.name ?? name, values: value === undefined ? others : [...others, value] };
      table.set(keyOf(name), after);
      const isThere = isName ? before !== undefined : before?.values.includes(value ?? "");
      return {
        status: isThere ? 200 : 201,
        body: isName
          ? rendered(subscription, after, used)
          : renderedValue(subscription, after, value ?? "", used),
      };
    }
    case "DELETE":
      if (usesOf(used, name, value) > 0) throw inUse(name);
      if (isName) table.delete(keyOf(name));
      else if (before) table.set(keyOf(name), { ...before, values: others });
      return { status: before ? 200 : 204 };
    default:
      throw methodNotAllowed(request);
  }
}

/** Returns all tag names. These are the created names and the names that groups and resources use. */
function all(subscription: Subscription, used: TagsInUse): readonly TagName[] {
  const found = new Map<string, { name: string; values: Set<string> }>();
  const add = (name: string, values: readonly string[]) => {
    const each = found.get(keyOf(name)) ?? { name, values: new Set() };
    for (const value of values) each.values.add(value);
    found.set(keyOf(name), each);
  };
  for (const { name, values } of made(subscription).values()) add(name, values);
  for (const [name, value] of used) add(name, [value]);
  return [...found.values()].map(({ name, values }) => ({ name, values: [...values] }));
}

/** Name and value of every tag of every group and resource. */
type TagsInUse = readonly (readonly [string, string])[];

function tagsInUse(subscription: Subscription): TagsInUse {
  const holders = [
    ...[...subscription.groups.values()].map(({ tags }) => tags),
    ...subscription.resources.all().map(({ body }) => body.tags),
  ];
  return holders
    .flatMap((tags) => Object.entries(members(tags)))
    .map(([name, value]) => [name, String(value)] as const);
}

function usesOf(used: TagsInUse, name: string, value: string | undefined): number {
  return used.filter(([each, text]) => keyOf(each) === keyOf(name) && (value === undefined || value === text))
    .length;
}

function rendered(subscription: Subscription, tag: TagName, used: TagsInUse): JsonObject {
  return {
    id: idOf(subscription, tag),
    tagName: tag.name,
    count: { type: "Total", value: usesOf(used, tag.name, undefined) },
    values: tag.values.map((each) => renderedValue(subscription, tag, each, used)),
  };
}

function renderedValue(subscription: Subscription, tag: TagName, value: string, used: TagsInUse): JsonObject {
  const id = `${idOf(subscription, tag)}/tagValues/${value}`;
  return { id, tagValue: value, count: { type: "Total", value: usesOf(used, tag.name, value) } };
}

function idOf(subscription: Subscription, { name }: TagName): string {
  return `/subscriptions/${subscription.subscriptionId}/tagNames/${name}`;
}

function inUse(name: string): ArmError {
  return new ArmError(409, "TagInUse", `The tag '${name}' is in use and cannot be deleted.`);
}

function made(subscription: Subscription): Table<TagName> {
  return subscription.store.table<TagName>("tagName");
}
