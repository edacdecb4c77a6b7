import { http1Only, httpConnectTimeoutMs } from "@keelson/base";
import { EnvHttpProxyAgent, interceptors, request } from "undici";
import type { Ask } from "./ask-directly.ts";
import type { ProxySettings } from "./proxy-settings.ts";

const maxRedirections = 10;

/** Returns a function that sends requests through the cluster's proxy. Hosts in `noProxy` are requested directly. */
export function askByProxy({ httpProxy = "", httpsProxy = "", noProxy = "" }: ProxySettings): Ask {
  return async (url, secureContext, signal) => {
    const connect = { timeout: httpConnectTimeoutMs, secureContext };
    const proxies = { httpProxy, httpsProxy, noProxy };
    const agent = new EnvHttpProxyAgent({ ...http1Only, ...proxies, pipelining: 0, connect });
    try {
      const dispatcher = agent.compose(interceptors.redirect({ maxRedirections }));
      const { body } = await request(url, { method: "HEAD", dispatcher, signal });
      await body.dump();
    } finally {
      await agent.destroy();
    }
  };
}
