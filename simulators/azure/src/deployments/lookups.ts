import type { JsonValue } from "@keelson/base";
import { groupIdOf, subscriptionOf } from "../arm/arm-path.ts";
import { members } from "../base/json.ts";
import type { ResourceCall } from "./arm-calls.ts";
import { ExpressionError } from "./errors/template-error.ts";
import { describeType } from "./functions/signature.ts";
import type { Context } from "./language/context.ts";
import type { Prepared } from "./prepared.ts";
import type { PlannedResource } from "./template/planned-resource.ts";
import type { ResourceIndex } from "./template/resource-index.ts";

/** Function that returns the response to a request that an expression needs. Throws if the response is unknown. */
export type Fetch = (call: ResourceCall) => JsonValue;

/** Returns an evaluation context with `reference` enabled. `of` is the deployment or one of its resources. */
export function contextIn(prepared: Prepared, of: { readonly context: Context }, fetch: Fetch): Context {
  return bindLookups(of.context, prepared.index, fetch, prepared.isNested);
}

/**
 * Returns a context with `reference` enabled. Expressions refer to resources of the template by name, and to existing resources
 * by ID.
 */
function bindLookups(context: Context, index: ResourceIndex, fetch: Fetch, isNested: boolean): Context {
  const stateOf = (
    called: string,
    planned: PlannedResource | undefined,
    version: string | undefined,
    full: boolean,
  ) => {
    const id = planned?.id ?? called;
    const apiVersion = version ?? planned?.apiVersion;
    if (!id.startsWith("/")) {
      throw new ExpressionError(
        `The template reference '${called}' is not valid: could not find template resource or resource copy with this name. Please see https://aka.ms/arm-function-reference for usage details`,
      );
    }
    if (apiVersion === undefined) {
      throw new ExpressionError(
        `The reference to '${called}', which is not in the template, needs an API version`,
      );
    }
    return shown(fetch({ method: "GET", id, apiVersion }), id, apiVersion, full);
  };
  return {
    ...context,
    reference(name, args) {
      const called = calledText(name, args[0]);
      const found = index.find(called);
      if (found.length === 0 && isNested) return context.reference(name, args);
      context.budget.spend(found.length);
      const full = args.slice(1).some((each) => typeof each === "string" && each.toLowerCase() === "full");
      const version = args.slice(1).find((each) => typeof each === "string" && /^\d/.test(each));
      const apiVersion = typeof version === "string" ? version : undefined;
      return name === "references"
        ? found.map((each) => stateOf(called, each, apiVersion, full))
        : stateOf(called, found[0], apiVersion, full);
    },
    list(name, args) {
      const [called, version, body] = args;
      const text = calledText(name, called);
      const planned = index.find(text)[0];
      const apiVersion = typeof version === "string" ? version : planned?.apiVersion;
      const id = planned?.id ?? text;
      if (!id.startsWith("/") || apiVersion === undefined) {
        throw new ExpressionError(`The function '${name}' expects the ID of a resource and an API version`);
      }
      context.budget.measure(body);
      return fetch({
        method: "POST",
        id: `${id}/${name}`,
        apiVersion,
        body,
      });
    },
    resourceInfo(symbol) {
      const found = index.find(symbol)[0];
      if (!found) return context.resourceInfo(symbol);
      const { id, name, type, apiVersion } = found;
      return { id, name, type, apiVersion };
    },
  };
}

/** Returns the first argument of a resource function. @throws ExpressionError if the argument is not a string */
function calledText(name: string, called: JsonValue | undefined): string {
  if (typeof called === "string") return called;
  throw new ExpressionError(
    `The template language function '${name}' expects its parameter at position '1' to be of type 'String'. The provided value is of type '${describeType(called ?? null)}'. Please see https://aka.ms/arm-functions for usage details`,
  );
}

/** Returns the result of `reference`. The result contains the properties of a resource, or with `full` the complete resource. */
function shown(value: JsonValue, id: string, apiVersion: string, full: boolean): JsonValue {
  const resource = members(value);
  const properties = resource.properties ?? {};
  if (!full) return properties;
  const { id: _, name: __, type: ___, etag: ____, ...rest } = resource;
  const group = groupIdOf(id)?.split("/").at(-1);
  return {
    apiVersion,
    ...rest,
    properties,
    resourceId: id,
    subscriptionId: subscriptionOf(id) ?? "",
    ...(group === undefined ? {} : { resourceGroupName: group }),
  };
}
