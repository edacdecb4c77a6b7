import { resources } from "@keelson/kube";
import { type ConfigObserver, configAt, configWith, type SyncRule } from "@keelson/operator-kit";
import { namespaces } from "../config/namespaces.ts";
import { configMapFile, resourceDir } from "../config/operand-paths.ts";
import {
  type Authentication,
  authConfigInput,
  authenticationInput,
  findAuthentication,
  mustKeepForOidc,
} from "./authentication.ts";
import { normal } from "./inputs.ts";

const path = ["authConfig", "oauthMetadataFile"];
const to = { namespace: namespaces.target, name: "oauth-metadata" };

/** Observes the OAuth server metadata. API servers return it at `/.well-known/oauth-authorization-server`. */
export const observeOauthMetadata: ConfigObserver = {
  name: "ObserveAuthMetadata",
  paths: [path],
  inputs: [authenticationInput, authConfigInput],
  observe({ objects, existing, report }) {
    const authentication = findAuthentication(objects);
    if (!authentication) {
      if (configAt(existing, path) !== undefined)
        report(
          normal("ObserveAuthMetadataConfigMap", "authentications.config.openshift.io/cluster: not found"),
        );
      return { config: {} };
    }
    if (mustKeepForOidc(authentication, objects)) return { config: existing };
    const from = sourceOf(authentication);
    const rule: SyncRule = { resource: resources.configMaps, to, ...(from ? { from } : {}) };
    const file = configMapFile(resourceDir, to.name, "oauthMetadata");
    return { config: from ? configWith(path, file) : {}, syncRules: [rule] };
  },
};

/**
 * Returns the source of the metadata. Metadata that users configure takes precedence over metadata of the authentication
 * operator.
 */
function sourceOf({ type, oauthMetadata, integratedOauthMetadata }: Authentication): SyncRule["from"] {
  const isIntegrated = type === "IntegratedOAuth";
  if (oauthMetadata && (isIntegrated || type === "None"))
    return { namespace: namespaces.config, name: oauthMetadata };
  if (integratedOauthMetadata && isIntegrated)
    return { namespace: namespaces.managed, name: integratedOauthMetadata };
  return undefined;
}
