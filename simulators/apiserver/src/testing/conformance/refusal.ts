import assert from "node:assert/strict";
import { scalarStringAt } from "@keelson/apimachinery";
import { listAt } from "@keelson/base";
import type { Api, Request } from "./api.ts";
import type { ConformanceCase } from "./case.ts";

/** Returns the causes of a rejected request as `field: message`. A cause without a field is only the message. */
export async function refusal(api: Api, request: Request): Promise<readonly string[]> {
  const { status, body, text } = await api.call(request);
  if (status < 400) return [`accepted: ${status}`];
  const causes = listAt(body, "details", "causes").map((cause) =>
    [scalarStringAt(cause, "field"), scalarStringAt(cause, "message")]
      .filter((each) => each !== "")
      .join(": "),
  );
  return causes.length > 0 ? causes : [text];
}

/** Returns a case that expects the server to reject each request with the given causes. */
export function refused(
  name: string,
  requests: readonly (readonly [request: Request, ...why: readonly string[]])[],
): ConformanceCase {
  return {
    name,
    async run(api) {
      for (const [request, ...why] of requests)
        assert.deepEqual(await refusal(api, request), why, JSON.stringify(request.body).slice(0, 500));
    },
  };
}
