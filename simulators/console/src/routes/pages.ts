import { acceptsGzip } from "@keelson/http";
import type { Asset } from "../http/assets.ts";
import type { Answer, Route, RouteContext } from "../http/route.ts";

const notBuilt = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Console</title></head>
<body><h1>The console's pages are not built</h1>
<p>Run <code>make simulators/console/dist/index.html</code> and restart with <code>keelson up</code>.</p>
</body></html>
`;

/** Paths of pages. A script in the browser selects the page. */
const pagePaths = ["/", "/open", "/resources", "/requests", "/directory", "/faults", "/clock", "/orphans"];

/** Documents and their files. They contain no data of the simulated world, so they need no session. */
export function pageRoutes(assets: ReadonlyMap<string, Asset> | undefined): readonly Route[] {
  const index = assets?.get("index.html");
  const page = (context: RouteContext): Answer =>
    index
      ? sent(index, context)
      : {
          status: 200,
          bytes: Buffer.from(notBuilt),
          headers: { "content-type": "text/html; charset=utf-8" },
        };
  const files = [...(assets ?? [])].filter(([name]) => name !== "index.html");
  return [
    ...pagePaths.map((path): Route => ({ method: "GET", path, access: "open", handle: page })),
    ...files.map(
      ([name, asset]): Route => ({
        method: "GET",
        path: `/${name}`,
        access: "open",
        handle: (context) => sent(asset, context),
      }),
    ),
  ];
}

function sent(asset: Asset, { header }: RouteContext): Answer {
  const { bytes, gzipped, contentType, etag, isImmutable } = asset;
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
