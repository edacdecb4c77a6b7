import { acceptsGzip } from "@keelson/http";
import {
  clusterPath,
  type PortalContext,
  type PortalResponse,
  type PortalRoute,
  route,
} from "../http/portal-route.ts";
import type { Asset } from "./assets.ts";

const notBuilt = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Portal</title></head>
<body><h1>The portal's pages are not built</h1>
<p>Build them with <code>npm run build -w services/portal-web</code> (<code>make up</code> does) and start the portal again. Its API is served under <code>/api</code>.</p>
</body></html>
`;

/**
 * Routes of the portal's pages and of the files that the pages load. Every page route returns the same HTML document, and a
 * script selects the page. The files contain no secrets, so their routes require no sign-in.
 */
export function pageRoutes(assets: ReadonlyMap<string, Asset> | undefined): readonly PortalRoute[] {
  const index = assets?.get("index.html");
  const page: PortalRoute["handle"] = (context) =>
    index
      ? sent(index, context)
      : { status: 200, text: notBuilt, headers: { "content-type": "text/html; charset=utf-8" } };
  const pages = ["/", "/alerts", "/sessions", clusterPath.resource, `${clusterPath.resource}/{*}`].map(
    (path): PortalRoute => route("GET", path, page),
  );
  const files = [...(assets ?? [])]
    .filter(([name]) => name !== "index.html")
    .map(
      ([name, asset]): PortalRoute => ({
        method: "GET",
        path: `/${name.toLowerCase()}`,
        access: "open",
        handle: (context) => sent(asset, context),
      }),
    );
  const favicon = assets?.has("favicon.svg") ? [faviconRoute] : [];
  return [...files, ...favicon, ...pages];
}

/** Redirects to the portal's icon. Browsers request this path for documents that specify no icon, for example API responses. */
const faviconRoute: PortalRoute = {
  method: "GET",
  path: "/favicon.ico",
  access: "open",
  handle: () => ({
    status: 308,
    headers: { location: "/favicon.svg", "cache-control": "public, max-age=86400" },
  }),
};

async function sent(asset: Asset, { header }: PortalContext): Promise<PortalResponse> {
  const { bytes, gzipped, contentType, etag, isImmutable } = asset;
  const headers = {
    etag,
    vary: "accept-encoding",
    "cache-control": isImmutable ? "public, max-age=31536000, immutable" : "no-cache",
  };
  const known = (header("if-none-match") ?? "").split(",").map((each) => each.trim().replace(/^W\//, ""));
  if (known.includes(etag)) return { status: 304, headers };
  const smaller = acceptsGzip(header("accept-encoding")) ? await gzipped() : undefined;
  return {
    status: 200,
    bytes: smaller ?? bytes,
    headers: {
      ...headers,
      "content-type": contentType,
      ...(smaller ? { "content-encoding": "gzip" } : {}),
    },
  };
}
