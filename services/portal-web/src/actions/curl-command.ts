import type { ActionForm } from "@keelson/portal-api";
import type { ActionInput } from "./form-values.ts";

/** Returns a curl command that calls the admin API. Instead of a token, the command contains the variable `$TOKEN`. */
export function curlCommand(
  adminApi: string,
  resourceId: string,
  { action }: Pick<ActionForm, "action">,
  { query, body }: ActionInput,
  reason: string,
): string {
  const [method = "", suffix = ""] = action.split(" ");
  const search = new URLSearchParams(query).toString();
  const url = `${adminApi}/admin${resourceId}/${suffix}${search === "" ? "" : `?${search}`}`;
  return [
    "curl",
    ...(method === "GET" ? [] : ["-X", method]),
    quoted(url),
    "-H",
    '"Authorization: Bearer $TOKEN"',
    ...(reason === "" ? [] : ["-H", quoted(`X-Keelson-Reason: ${reason}`)]),
    ...(body === undefined
      ? []
      : ["-H", quoted("Content-Type: application/json"), "-d", quoted(JSON.stringify(body))]),
  ].join(" ");
}

/** Returns a command that sets `$TOKEN` to an access token of the signed-in user of the Azure CLI. */
export function tokenCommand(scope: string): string {
  return `TOKEN=$(az account get-access-token --scope ${quoted(scope)} --query accessToken --output tsv)`;
}

/** Quotes a string as one word of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
