import { randomBytes } from "node:crypto";
import type { JsonObject } from "@keelson/base";
import { ArmError, badRequest } from "../arm/arm-error.ts";
import { ok } from "../arm/exchange.ts";
import { newRecord } from "../arm/new-record.ts";
import type { ResourceRecord } from "../arm/resource.ts";
import type { ResourceAction, ResourceType } from "../arm/resource-type.ts";
import { type Subscription, timestamp } from "../arm/subscription.ts";
import { at, members, nonEmptyStringAt, objectsAt, withProperties } from "../base/json.ts";
import { systemScopeMaps } from "./scope-maps.ts";
import { generateCredentials } from "./token-credentials.ts";

/** Container registries with their access settings. Images are not stored. */
export const registries: ResourceType = {
  namespace: "Microsoft.ContainerRegistry",
  type: "registries",
  names: /^[A-Za-z0-9]{5,50}$/,
  globalName: {
    taken: (name) =>
      new ArmError(
        409,
        "AlreadyInUse",
        `The registry DNS name ${name.toLowerCase()}.azurecr.io is already in use. You can check if the name is already claimed using following API: https://docs.microsoft.com/en-us/rest/api/containerregistry/registries/checknameavailability`,
      ),
    rules: "The registry name is invalid: it has 5 to 50 letters and digits.",
    invalid: "Invalid",
  },
  readOnly: ["loginServer", "creationDate", "status", "privateEndpointConnections"],
  actions: {
    generateCredentials: { method: "POST", run: generateCredentials },
    listCredentials: adminAction((record) => record),
    regenerateCredential: adminAction((record, body, subscription) => {
      const name = nonEmptyStringAt(body, "name");
      const passwords = objectsAt(record.hidden, "passwords");
      if (!passwords.some((each) => each.name === name)) {
        throw badRequest("InvalidPasswordName", `The password '${name ?? ""}' is not one of the registry.`);
      }
      const renewed = passwords.map((each) => (each.name === name ? adminPassword(String(name)) : each));
      const changed = { ...record, hidden: { ...record.hidden, passwords: renewed } };
      subscription.resources.put(changed);
      return changed;
    }),
    listUsages: {
      method: "GET",
      run: (record, _request, subscription) => ok({ value: usages(record, subscription) }),
    },
  },
  prepare({ name, body, existing }, subscription) {
    const sku =
      nonEmptyStringAt(body, "sku", "name") ?? nonEmptyStringAt(existing?.body, "sku", "name") ?? "";
    if (!["Basic", "Standard", "Premium"].includes(sku)) {
      throw badRequest("InvalidSku", `The sku '${sku}' is not one of Basic, Standard, Premium.`);
    }
    return {
      body: {
        ...withProperties(body, {
          adminUserEnabled: false,
          anonymousPullEnabled: false,
          dataEndpointEnabled: false,
          encryption: { status: "disabled" },
          networkRuleBypassOptions: "AzureServices",
          publicNetworkAccess: "Enabled",
          zoneRedundancy: "Disabled",
          ...members(existing?.body.properties),
          ...members(body.properties),
          loginServer: `${name.toLowerCase()}.azurecr.io`,
          creationDate: existing?.createdAt ?? timestamp(subscription),
        }),
        sku: { name: sku, tier: sku },
      },
      hidden: existing?.hidden ?? { passwords: ["password", "password2"].map(adminPassword) },
    };
  },
  created(registry, subscription) {
    for (const map of systemScopeMaps(registry, subscription)) subscription.resources.put(map);
    const location = nonEmptyStringAt(registry.body, "location") ?? "";
    const type = "Microsoft.ContainerRegistry/registries/replications";
    const properties = {
      provisioningState: "Succeeded",
      regionEndpointEnabled: true,
      zoneRedundancy: "Disabled",
    };
    const body = { location, properties };
    subscription.resources.put(
      newRecord(subscription, { id: `${registry.id}/replications/${location}`, type, body }),
    );
  },
};

/**
 * Returns the definition of an action that reads or changes the passwords of a registry's admin user. The action fails if the
 * admin user is disabled.
 */
function adminAction(
  run: (record: ResourceRecord, body: JsonObject, subscription: Subscription) => ResourceRecord,
): ResourceAction {
  return {
    method: "POST",
    run(record, { body }, subscription) {
      if (at(record.body, "properties", "adminUserEnabled") !== true) {
        throw badRequest(
          "UnAuthorizedForCredentialOperations",
          `Cannot perform credential operations for ${record.id} as admin user is disabled. Kindly enable admin user as per docs: https://docs.microsoft.com/en-us/azure/container-registry/container-registry-authentication#admin-account`,
        );
      }
      const after = run(record, members(body), subscription);
      return ok({ username: record.name, passwords: objectsAt(after.hidden, "passwords") });
    },
  };
}

function adminPassword(name: string): JsonObject {
  return { name, value: randomBytes(26).toString("base64url") };
}

function usages(registry: ResourceRecord, subscription: Subscription): readonly JsonObject[] {
  const count = (kind: string) => subscription.resources.inCollection(`${registry.id}/${kind}`).length;
  return [
    { name: "Size", limit: 536_870_912_000, currentValue: 0, unit: "Bytes" },
    { name: "ScopeMaps", limit: 20_000, currentValue: count("scopeMaps"), unit: "Count" },
    { name: "Tokens", limit: 20_000, currentValue: count("tokens"), unit: "Count" },
  ];
}
