/** Generates the admin API roles in `docs/admin-actions.md`. The source is the table that the service uses for authorization. */
import { adminPermissions } from "@keelson/admin-actions";
import { adminRoles } from "@keelson/auth";

export const adminRolesFile = "docs/admin-actions.md";
const opening = "<!-- from libraries/admin-actions/src/permissions, by make generate -->\n";
const closing = "<!-- end -->\n";

/**
 * Returns the document with an updated role table.
 * @throws Error if the document has no marker for the table
 */
export function withAdminRoles(document: string): string {
  const start = document.indexOf(opening);
  const end = document.indexOf(closing, start);
  if (start < 0 || end < 0) throw new Error(`${adminRolesFile} has no lines ${opening}${closing}`);
  return document.slice(0, start) + opening + table() + document.slice(end);
}

function table(): string {
  const rows = adminRoles.map((role) => {
    const mine = adminPermissions.filter((each) => each.role === role);
    const isOfCluster = ({ path }: (typeof mine)[number]) => !path.startsWith("/");
    const cells = [mine.filter(isOfCluster), mine.filter((each) => !isOfCluster(each))].map((routes) =>
      routes.map(({ method, path }) => `\`${method} ${path}\``).join(", "),
    );
    return `| ${role} | ${cells.join(" | ")} |`;
  });
  const heading =
    "| role | actions on a cluster, in addition to the actions of the roles above | actions below `/admin` |\n|---|---|---|";
  return `\n${heading}\n${rows.join("\n")}\n\n`;
}
