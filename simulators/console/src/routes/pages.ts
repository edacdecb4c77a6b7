import { acceptsGzip } from "@keelson/http";
import type { Asset, Assets } from "../http/assets.ts";
import { consoleErrors } from "../http/errors.ts";
import type { Response, Route, RouteContext } from "../http/route.ts";

const notBuilt = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Console</title></head>
<body><h1>The console's pages are not built</h1>
<p>Run <code>make simulators/console/dist/index.html</code> and load this page again.</p>
</body></html>
`;

/** Paths that serve the HTML page. The page's script selects the content by path. */
export const pagePaths = [
  ...["/", "/open", "/resources", "/requests", "/directory", "/faults", "/clock", "/orphans"],
];

/** Routes for HTML pages and their files. They need no session because they contain no simulation data. */
export function pageRoutes(assets: Assets): readonly Route[] {
  const open = (path: string, handle: Route["handle"]): Route => ({
    method: "GET",
    path,
    access: "open",
    handle,
  });
  const file = async (name: string, context: RouteContext) => {
    const asset = await assets.find(name);
    if (!asset) throw consoleErrors.NotFound("The console has nothing at this path.");
    return sent(asset, context);
  };
  const page = async (context: RouteContext): Promise<Response> => {
    const index = await assets.find("index.html");
    if (index) return sent(index, context);
    const headers = { "content-type": "text/html; charset=utf-8" };
    return { status: 200, bytes: Buffer.from(notBuilt), headers };
  };
  return [
    ...pagePaths.map((path) => open(path, page)),
    open("/favicon.svg", (context) => file("favicon.svg", context)),
    open("/assets/{file}", (context) => file(`assets/${context.parameter("file")}`, context)),
  ];
}

function sent({ contentType, bytes, gzipped, etag, isImmutable }: Asset, { header }: RouteContext): Response {
  const headers = {
    etag,
    vary: "accept-encoding",
    "cache-control": isImmutable ? "public, max-age=31536000, immutable" : "no-cache",
  };
  if (header("if-none-match") === etag) return { status: 304, headers };
  const isGzipped = acceptsGzip(header("accept-encoding"));
  return {
    status: 200,
    bytes: isGzipped ? gzipped : bytes,
    headers: {
      ...headers,
      "content-type": contentType,
      ...(isGzipped ? { "content-encoding": "gzip" } : {}),
    },
  };
}
