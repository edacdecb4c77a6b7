import { scalarStringAt } from "@keelson/apimachinery";
import { listAt } from "@keelson/base";
import { ageColumn, type Column, nameColumn, text, wide } from "../../columns/column.ts";

/** Columns of RoleBinding and ClusterRoleBinding. */
export const bindingColumns: readonly Column[] = [
  nameColumn,
  text(
    "Role",
    (binding) =>
      `${scalarStringAt(binding, "roleRef", "kind")}/${scalarStringAt(binding, "roleRef", "name")}`,
  ),
  ageColumn,
  wide(text("Users", (binding) => subjects(binding, "User"))),
  wide(text("Groups", (binding) => subjects(binding, "Group"))),
  wide(text("ServiceAccounts", (binding) => subjects(binding, "ServiceAccount"))),
];

function subjects(binding: unknown, kind: string): string {
  return listAt(binding, "subjects")
    .filter((subject) => scalarStringAt(subject, "kind") === kind)
    .map((subject) => {
      const name = scalarStringAt(subject, "name");
      return kind === "ServiceAccount" ? `${scalarStringAt(subject, "namespace")}/${name}` : name;
    })
    .join(", ");
}
