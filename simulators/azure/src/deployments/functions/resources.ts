import type { JsonValue } from "@keelson/base";
import { type Context, scopeId } from "../language/context.ts";
import { resourceIdOf } from "./resource-id.ts";
import { type Arguments, type Functions, type TemplateFunction, takes } from "./signature.ts";

const any = Number.POSITIVE_INFINITY;

/** Functions that return information about the template and its environment. */
export const resourceFunctions: Functions = {
  parameters: takes(1, 1, (args, context) => context.parameter(args.text(0))),
  variables: takes(1, 1, (args, context) => context.variable(args.text(0))),
  ...Object.fromEntries(
    ["subscription", "tenant", "resourceGroup", "deployment", "environment"].map((name) => [
      name.toLowerCase(),
      takes(0, 0, (_, context) => context.surroundings(name)),
    ]),
  ),
  copyindex: takes(0, 2, copyIndex),
  resourceid: takes(2, any, (args, context) => {
    const at = typeAt(args);
    const given = args.texts().slice(0, at);
    const place = { ...context.place };
    if (given.length === 2)
      return idIn(args, scopeId({ subscriptionId: given[0] ?? "", group: given[1] }), at);
    if (given.length === 1) {
      const [one = ""] = given;
      const isSubscription =
        place.group === undefined || /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(one);
      return idIn(
        args,
        scopeId(isSubscription ? { subscriptionId: one, group: undefined } : { ...place, group: one }),
        at,
      );
    }
    return idIn(args, scopeId(place), at);
  }),
  subscriptionresourceid: takes(2, any, (args, context) => {
    const at = typeAt(args);
    const subscriptionId = at > 0 ? args.text(0) : context.place.subscriptionId;
    return idIn(args, scopeId({ subscriptionId, group: undefined }), at);
  }),
  tenantresourceid: takes(2, any, (args) => idIn(args, "", 0)),
  extensionresourceid: takes(3, any, (args) => idIn(args, args.text(0), 1)),
  reference: takes(1, 3, (args, context) => context.reference("reference", args.values)),
  references: takes(1, 2, (args, context) => context.reference("references", args.values)),
  resourceinfo: takes(1, 1, (args, context) => context.resourceInfo(args.text(0))),
  pickzones: takes(3, 5, pickZones),
};

/** Implements all functions with names that begin with `list`. Such a function calls an action of a resource. */
export const listFunction: TemplateFunction = {
  least: 1,
  most: 3,
  run: (values, context, name) => context.list(name, values),
};

function copyIndex(args: Arguments, { loops }: Context): JsonValue {
  const named = typeof args.any(0) === "string";
  const name = named ? args.text(0).toLowerCase() : undefined;
  const loop = loops.findLast((each) => name === undefined || each.name.toLowerCase() === name);
  if (!loop) return args.fail("it is not used inside of a 'copy' of that name");
  const offsetAt = named ? 1 : 0;
  return loop.index + (args.count > offsetAt ? args.int(offsetAt) : 0);
}

/** Returns the index of the type argument, which is the first argument with a slash. */
function typeAt(args: Arguments): number {
  const at = args.values.findIndex((each) => typeof each === "string" && each.includes("/"));
  if (at < 0) args.fail("it expects a fully qualified resource type");
  return at;
}

function idIn(args: Arguments, scope: string, at: number): string {
  const names = args.texts(at + 1);
  return (
    resourceIdOf(scope, args.text(at), names) ??
    args.fail(
      `the type '${args.text(at)}' requires '${args.text(at).split("/").length - 1}' resource name argument(s)`,
    )
  );
}

/**
 * Returns availability zones of a location. Every location has three zones. Returns an empty list for types that do not support
 * zones.
 */
function pickZones(args: Arguments): JsonValue {
  const zonal = new Set([
    "microsoft.compute/virtualmachines",
    "microsoft.compute/disks",
    "microsoft.compute/virtualmachinescalesets",
    "microsoft.network/publicipaddresses",
    "microsoft.network/natgateways",
    "microsoft.network/loadbalancers",
  ]);
  if (!zonal.has(`${args.text(0)}/${args.text(1)}`.toLowerCase())) return [];
  const count = args.count > 3 ? args.int(3) : 1;
  const offset = args.count > 4 ? args.int(4) : 0;
  if (count < 1 || offset < 0 || count + offset > 3) args.fail("there are three zones");
  return ["1", "2", "3"].slice(offset, offset + count);
}
