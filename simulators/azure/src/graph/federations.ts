import { randomUUID } from "node:crypto";
import type { JsonObject } from "@keelson/base";
import { members } from "../base/json.ts";
import type { Application, ApplicationFederation } from "../entra/directory.ts";
import { attributesIn, optionalText, requiredText } from "./attributes.ts";
import type { Navigation } from "./entity-set.ts";
import { badRequest, GraphError, notFound } from "./graph-error.ts";

const most = 20;
const longestText = 600;
const handled = ["id", "name", "description", "issuer", "subject", "audiences"];

/** Handles `/applications/{id}/federatedIdentityCredentials`. Credentials are addressed by ID or name. */
export const federationsOf: Navigation<Application> = (deps, application, { method, body }, rest) => {
  const [id] = rest;
  const all = application.federations ?? [];
  const write = (federations: readonly ApplicationFederation[]) =>
    deps.subscription.store.transaction(() => deps.directory.putApplication({ ...application, federations }));
  if (id === undefined) {
    if (method === "GET") return { entries: all.map(render) };
    if (method !== "POST") return undefined;
    const made = federationIn(members(body), undefined, all);
    write([...all, made]);
    return { body: render(made), status: 201 };
  }
  const found = all.find((each) => each.id === id || each.name === id);
  if (!found) throw notFound(id);
  const others = all.filter((each) => each !== found);
  switch (method) {
    case "GET":
      return { body: render(found) };
    case "PATCH":
      write([...others, federationIn(members(body), found, others)]);
      return { done: true };
    case "DELETE":
      write(others);
      return { done: true };
    default:
      return undefined;
  }
};

function federationIn(
  body: JsonObject,
  existing: ApplicationFederation | undefined,
  others: readonly ApplicationFederation[],
): ApplicationFederation {
  attributesIn(body, [], handled);
  const whole = { ...(existing ? render(existing) : {}), ...body };
  const description = optionalText(whole, "description");
  const federation = {
    id: existing?.id ?? randomUUID(),
    name: requiredText(whole, "name"),
    issuer: requiredText(whole, "issuer"),
    subject: requiredText(whole, "subject"),
    audiences: audiencesIn(whole),
    ...(description === undefined ? {} : { description }),
  };
  if (existing && existing.name !== federation.name)
    throw badRequest("The property 'name' cannot be changed.");
  if (!/^[A-Za-z0-9][\w-]{2,119}$/.test(federation.name)) {
    throw badRequest("The property 'name' must be 3 to 120 letters, digits, '-' or '_'.");
  }
  if (federation.subject.length > longestText || federation.issuer.length > longestText) {
    throw badRequest(`The properties 'issuer' and 'subject' have at most ${longestText} characters.`);
  }
  if (URL.parse(federation.issuer)?.protocol !== "https:") {
    throw badRequest("The property 'issuer' must be an https URL.");
  }
  if (others.length >= most) {
    throw badRequest(`An application has at most ${most} federated identity credentials.`);
  }
  const twin = others.find(
    (each) =>
      each.name === federation.name ||
      (each.issuer === federation.issuer && each.subject === federation.subject),
  );
  if (!twin) return federation;
  throw new GraphError(
    409,
    "Request_MultipleObjectsWithSameKeyValue",
    `FederatedIdentityCredential with name or issuer and subject of '${twin.name}' already exists.`,
  );
}

function audiencesIn({ audiences }: JsonObject): readonly string[] {
  const texts = Array.isArray(audiences) ? audiences.filter((each) => typeof each === "string") : [];
  if (texts.length === 1) return texts;
  throw badRequest("The property 'audiences' must have exactly one audience.");
}

function render({ id, name, issuer, subject, audiences, description }: ApplicationFederation): JsonObject {
  return { id, name, issuer, subject, audiences: [...audiences], description: description ?? null };
}
