import type { AggregatedResource } from "@keelson/apiserver";
import { textColumn } from "../columns.ts";

export const oauthGroup = "oauth.openshift.io";

const resource = (
  kind: string,
  plural: string,
  details: Partial<AggregatedResource> = {},
): AggregatedResource => ({
  group: oauthGroup,
  version: "v1",
  kind,
  plural,
  namespaced: false,
  pathNames: true,
  ...details,
});

/** Resources of OpenShift's OAuth API. The name of a token object contains the token's hash. */
export const oauthResources: readonly AggregatedResource[] = [
  resource("OAuthClient", "oauthclients", {
    mergeRules: { keys: { redirectURIs: "" } },
    columns: [
      textColumn("WWW-Challenge", ".respondWithChallenges"),
      textColumn("Token-Max-Age", ".accessTokenMaxAgeSeconds"),
      textColumn("Redirect URIs", ".redirectURIs[*]"),
    ],
  }),
  resource("OAuthClientAuthorization", "oauthclientauthorizations"),
  resource("OAuthAccessToken", "oauthaccesstokens", {
    columns: [textColumn("User Name", ".userName"), textColumn("Client Name", ".clientName")],
  }),
  resource("OAuthAuthorizeToken", "oauthauthorizetokens"),
];
