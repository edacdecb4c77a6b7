import { stringAt } from "@keelson/base";
import type { ApplicationView, DirectoryView, RoleAssignmentView } from "../api/directory.ts";
import { type Route, route } from "../http/route.ts";
import { listOf } from "../http/world-result.ts";
import type { World, WorldFacts } from "../world/world.ts";

const apiVersion = "2022-04-01";
const maxEntries = 5_000;
const page = "$top=999";

type Item = Readonly<Record<string, unknown>>;

/** Routes for the tenant's applications and the subscription's role assignments. */
export function directoryRoutes(
  { subscriptionId }: WorldFacts,
  world: () => Promise<World>,
): readonly Route[] {
  return [
    route("GET", "/api/directory", async ({ signal }) => {
      const { arm, graph } = await world();
      const roles = `/subscriptions/${subscriptionId}/providers/Microsoft.Authorization`;
      const ofGraph = (path: string) => listOf(graph, `/v1.0/${path}`, maxEntries, signal);
      const ofArm = (type: string) =>
        listOf(arm, `${roles}/${type}?api-version=${apiVersion}`, maxEntries, signal);
      const [applications, services, users, groups, assignments, definitions] = await Promise.all([
        ofGraph(`applications?${page}`),
        ofGraph(`servicePrincipals?$select=id,displayName&${page}`),
        ofGraph(`users?$select=id,userPrincipalName&${page}`),
        ofGraph(`groups?$select=id,displayName&${page}`),
        ofArm("roleAssignments"),
        ofArm("roleDefinitions"),
      ]);
      const names = new Map([
        ...[...services.items, ...groups.items].map(
          ({ id, displayName }) => [String(id), String(displayName)] as const,
        ),
        ...users.items.map(({ id, userPrincipalName }) => [String(id), String(userPrincipalName)] as const),
      ]);
      const roleNames = new Map(
        definitions.items.map((each) => [
          lastOf(String(each.id)),
          stringAt(each, "properties", "roleName") ?? "",
        ]),
      );
      const view: DirectoryView = {
        applications: applications.items.map(applicationOf),
        roleAssignments: assignments.items.map((each) => assignmentOf(each, names, roleNames)),
        isCut: [applications, services, users, groups, assignments, definitions].some(
          ({ isComplete }) => !isComplete,
        ),
      };
      return { status: 200, json: view };
    }),
  ];
}

function applicationOf({ displayName, appId, passwordCredentials, keyCredentials }: Item): ApplicationView {
  return {
    displayName: String(displayName),
    clientId: String(appId),
    secrets: countOf(passwordCredentials),
    certificates: countOf(keyCredentials),
  };
}

function countOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}

function assignmentOf(
  assignment: Item,
  names: ReadonlyMap<string, string>,
  roleNames: ReadonlyMap<string, string>,
): RoleAssignmentView {
  const text = (name: string) => stringAt(assignment, "properties", name) ?? "";
  const principal = text("principalId");
  const role = lastOf(text("roleDefinitionId"));
  return {
    id: String(assignment.id),
    principal: names.get(principal) ?? principal,
    principalType: text("principalType"),
    role: roleNames.get(role) || role,
    scope: text("scope"),
  };
}

function lastOf(id: string): string {
  return id.slice(id.lastIndexOf("/") + 1).toLowerCase();
}
