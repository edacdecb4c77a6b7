import type { JsonValue } from "@keelson/base";

import { type ArmRequest, type ArmResponse, ok } from "../arm/exchange.ts";
import type { ResourceRecord } from "../arm/resource.ts";
import type { ResourceAction } from "../arm/resource-type.ts";
import { type Subscription, timestamp } from "../arm/subscription.ts";
import { nonEmptyStringAt } from "../base/json.ts";
import { type AccountKey, accountKeysOf, hiddenKeys, newAccountKey } from "./account-keys.ts";
import { invalidParameter as invalid } from "./parameters.ts";
import { signAccountSas, signServiceSas } from "./sas-signature.ts";

/** Storage version of generated shared access signatures. */
const version = "2021-08-06";

export const accountActions: Readonly<Record<string, ResourceAction>> = {
  listKeys: { method: "POST", run: (account) => listKeys(accountKeysOf(account)) },
  regenerateKey: { method: "POST", run: regenerateKey },
  listAccountSas: { method: "POST", run: listAccountSas },
  listServiceSas: { method: "POST", run: listServiceSas },
};

function listKeys(keys: readonly AccountKey[]): ArmResponse {
  return ok({ keys: keys.map((each) => ({ ...each, permissions: "FULL" })) });
}

function regenerateKey(
  account: ResourceRecord,
  { body }: ArmRequest,
  subscription: Subscription,
): ArmResponse {
  const keyName = nonEmptyStringAt(body, "keyName");
  const keys = accountKeysOf(account);
  if (!keys.some((each) => each.keyName === keyName)) throw invalid("keyName", keyName);
  const renewed = keys.map((each) =>
    each.keyName === keyName ? newAccountKey(each.keyName, timestamp(subscription)) : each,
  );
  subscription.resources.put({ ...account, hidden: { ...account.hidden, ...hiddenKeys(renewed) } });
  return listKeys(renewed);
}

function listAccountSas(
  account: ResourceRecord,
  { body }: ArmRequest,
  subscription: Subscription,
): ArmResponse {
  const query = signedQuery(body, {
    ss: "signedServices",
    srt: "signedResourceTypes",
    sp: "signedPermission",
    st: "signedStart",
    se: "signedExpiry",
    sip: "signedIp",
    spr: "signedProtocol",
  });
  requireMembers(query, ["ss", "srt", "sp", "se"]);
  checkExpiry(query, subscription);
  query.set("sig", signAccountSas(account.name, query, signingKey(account, body)));
  return ok({ accountSasToken: query.toString() });
}

function listServiceSas(
  account: ResourceRecord,
  { body }: ArmRequest,
  subscription: Subscription,
): ArmResponse {
  const query = signedQuery(body, {
    sr: "signedResource",
    sp: "signedPermission",
    st: "signedStart",
    se: "signedExpiry",
    sip: "signedIp",
    spr: "signedProtocol",
  });
  requireMembers(query, ["sr", "sp", "se"]);
  checkExpiry(query, subscription);
  const resource = nonEmptyStringAt(body, "canonicalizedResource") ?? "";
  if (!resource.startsWith(`/blob/${account.name}/`)) throw invalid("canonicalizedResource", resource);
  query.set("sig", signServiceSas(resource, query, signingKey(account, body)));
  return ok({ serviceSasToken: query.toString() });
}

function signedQuery(
  body: JsonValue | undefined,
  members: Readonly<Record<string, string>>,
): URLSearchParams {
  const query = new URLSearchParams({ sv: version });
  for (const [parameter, member] of Object.entries(members)) {
    const value = nonEmptyStringAt(body, member);
    if (value !== undefined) query.set(parameter, value);
  }
  return query;
}

function requireMembers(query: URLSearchParams, names: readonly string[]): void {
  for (const name of names) if (!query.has(name)) throw invalid(name, undefined);
}

function checkExpiry(query: URLSearchParams, subscription: Subscription): void {
  const expiry = Date.parse(query.get("se") ?? "");
  if (!(expiry > subscription.clock.outside.now().getTime()))
    throw invalid("signedExpiry", query.get("se") ?? undefined);
}

function signingKey(account: ResourceRecord, body: JsonValue | undefined): string {
  const name = nonEmptyStringAt(body, "keyToSign") ?? "key1";
  const key = accountKeysOf(account).find((each) => each.keyName === name);
  if (!key) throw invalid("keyToSign", name);
  return key.value;
}
