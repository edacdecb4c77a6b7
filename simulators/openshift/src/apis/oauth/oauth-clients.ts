import type { KubeObject } from "@keelson/apiserver";
import { oauthGroup } from "./oauth-resources.ts";

/** Returns the OAuthClients of a new cluster for `oc login` and the browser. `url` is the OAuth server. */
export function oauthClients(url: string): readonly KubeObject[] {
  const client = (name: string, respondWithChallenges: boolean, redirect: string): KubeObject => ({
    apiVersion: `${oauthGroup}/v1`,
    kind: "OAuthClient",
    metadata: { name },
    grantMethod: "auto",
    redirectURIs: [`${url}${redirect}`],
    respondWithChallenges,
  });
  return [
    client("openshift-browser-client", false, "/oauth/token/display"),
    client("openshift-challenging-client", true, "/oauth/token/implicit"),
  ];
}
