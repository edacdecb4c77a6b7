import type { KubeObject } from "@keelson/apiserver";
import { oauthGroup } from "./oauth-resources.ts";

/** OAuthClients of a fresh cluster with the OAuth server at `url`: `oc login`, and the browser. */
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
