import type { AggregatedResource, KubeObject, ResourceCall } from "@keelson/apiserver";
import { stringAt } from "@keelson/base";
import type { ApiContext } from "../api-context.ts";
import { failures } from "../failures.ts";
import { accessTokens } from "./access-token.ts";
import { oauthGroup } from "./oauth-resources.ts";

/** UserOAuthAccessTokens: the caller's own access tokens. */
export function userTokenResource({ client }: ApiContext): AggregatedResource {
  const shown = (token: KubeObject): KubeObject => ({
    ...token,
    apiVersion: token.apiVersion,
    kind: "UserOAuthAccessToken",
    metadata: token.metadata,
  });
  const isOwn = (token: KubeObject, { user }: ResourceCall) => stringAt(token, "userName") === user.name;
  const own = async (call: ResourceCall & { readonly name: string }): Promise<KubeObject> => {
    const token = await client.find(accessTokens, { name: call.name });
    if (token && isOwn(token, call)) return token;
    throw failures.notFound({ group: oauthGroup, resource: "useroauthaccesstokens" }, call.name);
  };
  return {
    group: oauthGroup,
    version: "v1",
    kind: "UserOAuthAccessToken",
    plural: "useroauthaccesstokens",
    namespaced: false,
    pathNames: true,
    handlers: {
      get: async (call) => shown(await own(call)),
      list: async (call) => {
        const { items, resourceVersion } = await client.list(accessTokens);
        return { items: items.filter((each) => isOwn(each, call)).map(shown), resourceVersion };
      },
      delete: async (call) => {
        await call.client.delete(accessTokens, { name: (await own(call)).metadata.name });
        return undefined;
      },
    },
  };
}
