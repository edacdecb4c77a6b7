import { type JsonObject, Secret } from "@keelson/base";
import { nonEmptyStringAt } from "../base/json.ts";
import { hashPassword } from "../entra/credentials.ts";
import type { User } from "../entra/directory.ts";
import type { EntraDeps } from "../entra/entra-deps.ts";
import { attributesIn, requiredText } from "./attributes.ts";
import type { EntitySet } from "./entity-set.ts";
import { badRequest } from "./graph-error.ts";
import { memberships } from "./memberships.ts";
import { renderUser } from "./rendering.ts";

const names = [
  "businessPhones",
  "city",
  "companyName",
  "country",
  "department",
  "employeeId",
  "givenName",
  "jobTitle",
  "mail",
  "mailNickname",
  "mobilePhone",
  "officeLocation",
  "otherMails",
  "passwordPolicies",
  "preferredLanguage",
  "surname",
  "usageLocation",
  "userType",
];
const handled = ["displayName", "userPrincipalName", "accountEnabled", "passwordProfile", "id"];

export const users: EntitySet<User> = {
  name: "users",
  type: "user",
  list: ({ directory }) => directory.users(),
  find: ({ directory }, id) => directory.findUser(id) ?? directory.findUserByName(id),
  render: renderUser,
  async create(deps, body) {
    if (!nonEmptyStringAt(body, "passwordProfile", "password")) {
      throw badRequest("A password must be specified to create a new user.");
    }
    const displayName = requiredText(body, "displayName");
    const userPrincipalName = requiredText(body, "userPrincipalName");
    const user: User = {
      objectId: deps.subscription.newIds.next(userPrincipalName, "user"),
      displayName,
      userPrincipalName,
      createdAt: deps.clock.now().toISOString(),
      attributes: attributesIn(body, names, handled),
      ...(body.accountEnabled === false ? { disabled: true } : {}),
      ...(await passwordIn(deps, body)),
    };
    put(deps, user);
    return user;
  },
  async update(deps, existing, body) {
    const text = (name: "displayName" | "userPrincipalName") =>
      name in body ? requiredText(body, name) : existing[name];
    const { disabled, ...rest } = existing;
    const isDisabled = "accountEnabled" in body ? body.accountEnabled === false : disabled === true;
    put(deps, {
      ...rest,
      displayName: text("displayName"),
      userPrincipalName: text("userPrincipalName"),
      attributes: attributesIn(body, names, handled, existing.attributes),
      ...(isDisabled ? { disabled: true } : {}),
      ...(await passwordIn(deps, body)),
    });
  },
  remove({ directory, subscription }, { objectId }) {
    subscription.store.transaction(() => directory.removeUser(objectId));
  },
  navigations: memberships,
};

async function passwordIn({ clock }: EntraDeps, body: JsonObject): Promise<Partial<User>> {
  const password = nonEmptyStringAt(body, "passwordProfile", "password");
  if (password === undefined) return {};
  const kept = await hashPassword(new Secret(password));
  return { password: kept, passwordChangedAt: clock.now().toISOString() };
}

function put({ directory, subscription }: EntraDeps, user: User): void {
  const { userPrincipalName, objectId } = user;
  if (!/^[^\s@]+@[^\s@]+$/.test(userPrincipalName)) {
    throw badRequest("Property userPrincipalName is invalid.");
  }
  const twin = directory.findUserByName(userPrincipalName);
  if (twin && twin.objectId !== objectId) {
    throw badRequest("Another object with the same value for property userPrincipalName already exists.");
  }
  subscription.store.transaction(() => directory.putUser(user));
}
