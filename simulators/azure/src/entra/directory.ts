import type { JsonObject } from "@keelson/base";
import type { Store, Table } from "../store/store.ts";
import type { Credentials, PasswordHash } from "./credentials.ts";

/** Common fields of directory entries. `createdAt` is undefined for entries that exist from the start. */
interface Entry {
  /** Object ID (GUID). It is the `oid` claim in tokens and the principal ID in role assignments. */
  readonly objectId: string;
  readonly displayName: string;
  readonly createdAt?: string;
  /** Object IDs of the owners. */
  readonly owners?: readonly string[];
  /** Other properties written by Microsoft Graph clients. */
  readonly attributes?: JsonObject;
}

/** Service principal of an application in this tenant. An application without a service principal cannot sign in. */
export interface ServicePrincipal extends Entry, Credentials {
  readonly clientId: string;
  /** Resource ID of the managed identity to which the service principal belongs, if any. */
  readonly identityId?: string;
  /** True if sign-in is disabled. */
  readonly disabled?: true;
}

/** Federated credential of an application: issuer, subject and audiences of accepted tokens. */
export interface ApplicationFederation {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly issuer: string;
  readonly subject: string;
  readonly audiences: readonly string[];
}

/** Application registered in this tenant. */
export interface Application extends Entry, Credentials {
  readonly clientId: string;
  readonly federations?: readonly ApplicationFederation[];
}

export interface User extends Entry {
  /** User name in email form. Case-insensitive. */
  readonly userPrincipalName: string;
  /** Password hash. If no hash is stored, every password is accepted for this user. */
  readonly password?: PasswordHash;
  /** Time of the last password change. Refresh tokens issued before this time are invalid. */
  readonly passwordChangedAt?: string;
  readonly disabled?: true;
}

export interface Group extends Entry {
  /** Object IDs of the members. */
  readonly members: readonly string[];
}

/** Types of principals to which roles can be assigned. The values are ARM's names of the types. */
export type PrincipalType = "ServicePrincipal" | "User" | "Group";

/** Directory of the tenant. Writes must run in a transaction. Keys are case-insensitive. */
export class Directory {
  readonly #servicePrincipals: Table<ServicePrincipal>;
  readonly #applications: Table<Application>;
  readonly #users: Table<User>;
  readonly #groups: Table<Group>;

  constructor(store: Store) {
    // The table for service principals is called `application`. Earlier releases did not distinguish applications from service
    // principals.
    this.#servicePrincipals = store.table("application");
    this.#applications = store.table("applicationObject");
    this.#users = store.table("user");
    this.#groups = store.table("group");
  }

  find(clientId: string): ServicePrincipal | undefined {
    return this.#servicePrincipals.get(clientId.toLowerCase());
  }

  findApplication(clientId: string): Application | undefined {
    return this.#applications.get(clientId.toLowerCase());
  }

  findUser(objectId: string): User | undefined {
    return this.#users.get(objectId.toLowerCase());
  }

  findUserByName(userPrincipalName: string): User | undefined {
    const wanted = userPrincipalName.toLowerCase();
    return this.users().find((each) => each.userPrincipalName.toLowerCase() === wanted);
  }

  findGroup(objectId: string): Group | undefined {
    return this.#groups.get(objectId.toLowerCase());
  }

  servicePrincipals(): readonly ServicePrincipal[] {
    return [...this.#servicePrincipals.values()];
  }

  applications(): readonly Application[] {
    return [...this.#applications.values()];
  }

  users(): readonly User[] {
    return [...this.#users.values()];
  }

  groups(): readonly Group[] {
    return [...this.#groups.values()];
  }

  /** Returns the principal with an object ID, and its type. An application is not a principal, but its service principal is. */
  findPrincipal(
    objectId: string,
  ): { readonly type: PrincipalType; readonly entry: ServicePrincipal | User | Group } | undefined {
    const user = this.findUser(objectId);
    if (user) return { type: "User", entry: user };
    const group = this.findGroup(objectId);
    if (group) return { type: "Group", entry: group };
    const wanted = objectId.toLowerCase();
    const entry = this.servicePrincipals().find((each) => each.objectId.toLowerCase() === wanted);
    return entry && { type: "ServicePrincipal", entry };
  }

  /** Returns the groups that contain `objectId` directly or through other groups. */
  groupsOf(objectId: string): readonly Group[] {
    const found = new Map<string, Group>();
    const members = new Set([objectId.toLowerCase()]);
    for (let before = -1; before !== found.size; ) {
      before = found.size;
      for (const group of this.groups()) {
        if (!group.members.some((each) => members.has(each.toLowerCase()))) continue;
        found.set(group.objectId, group);
        members.add(group.objectId.toLowerCase());
      }
    }
    return [...found.values()];
  }

  put(principal: ServicePrincipal): void {
    this.#servicePrincipals.set(principal.clientId.toLowerCase(), principal);
  }

  putApplication(application: Application): void {
    this.#applications.set(application.clientId.toLowerCase(), application);
  }

  putUser(user: User): void {
    this.#users.set(user.objectId.toLowerCase(), user);
  }

  putGroup(group: Group): void {
    this.#groups.set(group.objectId.toLowerCase(), group);
  }

  remove(clientId: string): void {
    const principal = this.find(clientId);
    this.#servicePrincipals.delete(clientId.toLowerCase());
    if (principal) this.#leaveGroups(principal.objectId);
  }

  /** Removes an application and its service principal. */
  removeApplication(clientId: string): void {
    this.#applications.delete(clientId.toLowerCase());
    this.remove(clientId);
  }

  removeUser(objectId: string): void {
    this.#users.delete(objectId.toLowerCase());
    this.#leaveGroups(objectId);
  }

  removeGroup(objectId: string): void {
    this.#groups.delete(objectId.toLowerCase());
    this.#leaveGroups(objectId);
  }

  #leaveGroups(objectId: string): void {
    const isOther = (each: string) => each.toLowerCase() !== objectId.toLowerCase();
    for (const group of this.groups()) {
      if (!group.members.every(isOther)) this.putGroup({ ...group, members: group.members.filter(isOther) });
    }
  }
}
