import {
  celTypes,
  errorValue,
  type Library,
  method,
  type ObjectValue,
  type OpaqueValue,
  type Result,
  type Type,
} from "@keelson/cel";
import type { Attributes } from "../../auth/attributes.ts";
import { authenticated, type User } from "../../auth/user.ts";

/** Permission checks for CEL expressions. */
export interface Authorizer {
  allows(user: User, attributes: Attributes): boolean;
}

const { bool, objectType, opaqueType, string } = celTypes;

interface Subject {
  readonly authorizer: Authorizer;
  readonly user: User;
}

/** Permission check that the builder methods assemble step by step. */
interface ResourceQuestion extends Subject {
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

interface PathQuestion extends Subject {
  readonly path: string;
}

const packageName = "kubernetes.authorization";
const resourceCheckName = `${packageName}.ResourceCheck`;
const groupCheck = opaqueType(`${packageName}.GroupCheck`);
const resourceCheck = opaqueType(resourceCheckName);
const pathCheck = opaqueType(`${packageName}.PathCheck`);
const decision = opaqueType(`${packageName}.Decision`);

/** Type of the CEL variable `authorizer`. Its field `requestResource` checks permissions for the request's resource. */
export const authorizerType: Type = objectType(`${packageName}.Authorizer`, (name) =>
  name === "requestResource" ? resourceCheck : undefined,
);

/** Value of the CEL variable `authorizer`. It checks the permissions of the requesting user. */
class AuthorizerValue implements ObjectValue {
  readonly kind = "object";
  readonly typeName = `${packageName}.Authorizer`;
  readonly subject: Subject;
  readonly #requestResource: OpaqueValue | undefined;

  constructor(subject: Subject, requestResource: OpaqueValue | undefined) {
    this.subject = subject;
    this.#requestResource = requestResource;
  }

  get(field: string): Result | undefined {
    return field === "requestResource" ? this.#requestResource : undefined;
  }

  fields(): readonly string[] {
    return this.#requestResource ? ["requestResource"] : [];
  }
}

/** Returns the value of the CEL variable `authorizer`. `request` is the resource for `authorizer.requestResource`. */
export function authorizerValue(
  authorizer: Authorizer,
  user: User,
  request: Omit<ResourceQuestion, keyof Subject>,
): ObjectValue {
  const subject = { authorizer, user };
  return new AuthorizerValue(subject, boxed(resourceCheckName, { ...subject, ...request }));
}

function boxed(typeName: string, content: object): OpaqueValue {
  return { kind: "opaque", typeName, content, key: JSON.stringify(content) };
}

/** Functions of the Kubernetes CEL authorizer library. */
export const authorizerLibrary: Library = {
  overloads: [
    onAuthorizer("path", [string], pathCheck, (subject, path) =>
      boxed(`${packageName}.PathCheck`, { ...subject, path }),
    ),
    onAuthorizer("group", [string], groupCheck, (subject, group) =>
      boxed(`${packageName}.GroupCheck`, { ...subject, group }),
    ),
    onAuthorizer("serviceAccount", [string, string], authorizerType, ({ authorizer }, namespace, name) => {
      if (!namespace || !name) return errorValue("Invalid service account namespace or name");
      const groups = ["system:serviceaccounts", `system:serviceaccounts:${namespace}`];
      const user = authenticated(`system:serviceaccount:${namespace}:${name}`, groups);
      return new AuthorizerValue({ authorizer, user }, undefined);
    }),
    method("resource", [groupCheck, string], resourceCheck, ([group, resource]) =>
      boxed(resourceCheckName, {
        subresource: "",
        namespace: "",
        name: "",
        ...Object(group.content),
        resource,
      }),
    ),
    ...(["subresource", "namespace", "name"] as const).map((part) =>
      method(part, [resourceCheck, string], resourceCheck, ([check, value]) =>
        boxed(resourceCheckName, { ...Object(check.content), [part]: value }),
      ),
    ),
    // RBAC rules have no selectors, so the methods `fieldSelector` and `labelSelector` do not affect the check.
    ...(["fieldSelector", "labelSelector"] as const).map((part) =>
      method(part, [resourceCheck, string], resourceCheck, ([check]) => check),
    ),
    method("check", [resourceCheck, string], decision, ([check, verb]) =>
      decided(resourceAttributes(check, verb), check),
    ),
    method("check", [pathCheck, string], decision, ([check, verb]) => {
      const { path }: PathQuestion = Object(check.content);
      return decided({ kind: "path", verb, path }, check);
    }),
    method("allowed", [decision], bool, ([{ content }]) => content === true),
    method("errored", [decision], bool, () => false),
    method("error", [decision], string, () => ""),
    method("reason", [decision], string, () => ""),
  ],
};

function resourceAttributes({ content }: OpaqueValue, verb: string): Attributes {
  const { group, resource, subresource, namespace, name }: ResourceQuestion = Object(content);
  return {
    kind: "resource",
    verb,
    group,
    resource: subresource ? `${resource}/${subresource}` : resource,
    namespace,
    name,
  };
}

function decided(attributes: Attributes, { content }: OpaqueValue): OpaqueValue {
  const { authorizer, user }: Subject = Object(content);
  const allowed = authorizer.allows(user, attributes);
  return { kind: "opaque", typeName: `${packageName}.Decision`, content: allowed, key: String(allowed) };
}

function onAuthorizer(
  name: string,
  parameters: readonly (typeof string)[],
  result: Type,
  run: (subject: Subject, ...args: readonly string[]) => Result,
) {
  return method(name, [authorizerType, ...parameters], result, ([target, ...args]) =>
    target instanceof AuthorizerValue
      ? run(target.subject, ...args.map(String))
      : errorValue("no such overload"),
  );
}
