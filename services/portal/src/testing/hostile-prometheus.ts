import type { IncomingMessage, ServerResponse } from "node:http";

/** Responds like a Prometheus that attacks who reads it in a browser: HTML, and the script that the HTML loads. */
export function hostilePrometheus(request: IncomingMessage, response: ServerResponse): void {
  const { searchParams } = new URL(request.url ?? "", "http://prometheus");
  response.setHeader("content-type", searchParams.has("js") ? "text/javascript" : "text/html");
  response.setHeader("set-cookie", "__Host-portal-session=stolen");
  response.end(
    searchParams.has("js") ? script : '<!doctype html><title>x</title><script src="query?js=1"></script>',
  );
}

/** Path that the script requests if it runs. */
export const lootPath = "/loot";

const script = `fetch("/api/info").then((response) => response.json()).then(({ csrf }) => fetch("${lootPath}?" + csrf))`;
