import { cutText, messageOf } from "@keelson/base";
import { runOnMachine } from "./run-on-machine.ts";
import type { ScaleSetDeps } from "./scale-sets.ts";

/** `--insecure` is needed, because the certificate is valid for the region's name but not for localhost. */
const script =
  "curl --silent --insecure --max-time 10 --write-out '\\n%{http_code}' https://localhost/healthz/ready/write";
const longestReason = 200;

/** Returns the reason why a machine's resource provider rejects writes. Returns `undefined` if writes are accepted. */
export async function writeRefusal(
  deps: ScaleSetDeps,
  set: string,
  instanceId: string,
): Promise<string | undefined> {
  try {
    const lines = (await runOnMachine(deps, { set, instanceId, script })).trimEnd().split("\n");
    const code = lines.pop() ?? "";
    // Earlier versions do not have this path. They return 403 or 404.
    if (["200", "403", "404"].includes(code)) return undefined;
    return cutText(`not ready for writes: ${code} ${lines.join(" ")}`.trimEnd(), longestReason);
  } catch (error) {
    deps.signal.throwIfAborted();
    return cutText(`its readiness for writes is unknown: ${messageOf(error)}`, longestReason);
  }
}
