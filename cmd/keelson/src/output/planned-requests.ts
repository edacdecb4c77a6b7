/** Request that a command with `--dry-run` prints instead of sending it. */
export interface PlannedRequest {
  readonly method: "GET" | "PUT" | "POST" | "PATCH" | "DELETE";
  readonly url: string;
  readonly body?: object;
}

/** Placeholder for a value that earlier requests return. */
export const returnedEarlier = "(returned by an earlier request)";

/** Formats planned requests. A table has a line for each request, followed by its body. */
export function plannedText(requests: readonly PlannedRequest[], output: "table" | "json"): string {
  if (output === "json") return `${JSON.stringify({ dryRun: true, requests })}\n`;
  return requests
    .map(
      ({ method, url, body }) => `${method} ${url}\n${body ? `${JSON.stringify(body, undefined, 2)}\n` : ""}`,
    )
    .join("");
}
