import { humanDuration } from "./age.ts";
import { ageColumn, type Column, nameColumn, text, textOf, wide } from "./column.ts";
import { at, listAt, textAt } from "./read.ts";

/** RoleBinding and ClusterRoleBinding. */
export const bindingColumns: readonly Column[] = [
  nameColumn,
  text("Role", (binding) => `${textAt(binding, "roleRef", "kind")}/${textAt(binding, "roleRef", "name")}`),
  ageColumn,
  wide(text("Users", (binding) => subjects(binding, "User"))),
  wide(text("Groups", (binding) => subjects(binding, "Group"))),
  wide(text("ServiceAccounts", (binding) => subjects(binding, "ServiceAccount"))),
];

export const certificateSigningRequestColumns: readonly Column[] = [
  nameColumn,
  ageColumn,
  textOf("SignerName", "spec.signerName", "<none>"),
  textOf("Requestor", "spec.username"),
  text("RequestedDuration", (request) => {
    const seconds = at(request, "spec", "expirationSeconds");
    return typeof seconds === "number" ? humanDuration(seconds * 1000) : "<none>";
  }),
  text("Condition", requestCondition),
];

function subjects(binding: unknown, kind: string): string {
  return listAt(binding, "subjects")
    .filter((subject) => textAt(subject, "kind") === kind)
    .map((subject) => {
      const name = textAt(subject, "name");
      return kind === "ServiceAccount" ? `${textAt(subject, "namespace")}/${name}` : name;
    })
    .join(", ");
}

function requestCondition(request: unknown): string {
  const types = listAt(request, "status", "conditions").map((condition) => textAt(condition, "type"));
  const words = ["Denied", "Approved"].filter((type) => types.includes(type)).slice(0, 1);
  if (words.length === 0) words.push("Pending");
  if (types.includes("Failed")) words.push("Failed");
  if (textAt(request, "status", "certificate")) words.push("Issued");
  return words.join(",");
}
