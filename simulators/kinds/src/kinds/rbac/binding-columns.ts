import { arrayAt, textAt } from "@keelson/apimachinery";
import { ageColumn, type Column, nameColumn, text, wide } from "../../columns/column.ts";

/** Columns of RoleBinding and ClusterRoleBinding. */
export const bindingColumns: readonly Column[] = [
  nameColumn,
  text("Role", (binding) => `${textAt(binding, "roleRef", "kind")}/${textAt(binding, "roleRef", "name")}`),
  ageColumn,
  wide(text("Users", (binding) => subjects(binding, "User"))),
  wide(text("Groups", (binding) => subjects(binding, "Group"))),
  wide(text("ServiceAccounts", (binding) => subjects(binding, "ServiceAccount"))),
];

function subjects(binding: unknown, kind: string): string {
  return arrayAt(binding, "subjects")
    .filter((subject) => textAt(subject, "kind") === kind)
    .map((subject) => {
      const name = textAt(subject, "name");
      return kind === "ServiceAccount" ? `${textAt(subject, "namespace")}/${name}` : name;
    })
    .join(", ");
}
