import { valueAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import type { ConfigObserver, ObservedObjects } from "@keelson/operator-kit";
import { isEnabled } from "../config/feature-gates.ts";
import { namespaces } from "../config/namespaces.ts";
import { configMapFile, resourceDir } from "../config/operand-paths.ts";
import { argumentPath, withArguments } from "./arguments.ts";
import { authConfig, authConfigInput, authenticationInput, findAuthentication } from "./authentication.ts";
import { gatesFor, gatesInput } from "./gates.ts";
import { normal, objectInput } from "./inputs.ts";

const argument = "authentication-config";
const key = "auth-config.json";
const source = { namespace: namespaces.managed, name: authConfig.name };
const reason = "ObserveExternalOIDC";
const target = `${authConfig.namespace}/${authConfig.name}`;

/** Observes sign-in with an external OpenID Connect provider. The authentication operator configures the provider. */
export function externalOidcObserver(version: string): ConfigObserver {
  return {
    name: "ObserveExternalOIDC",
    paths: [argumentPath(argument)],
    inputs: [gatesInput, authenticationInput, authConfigInput, objectInput(resources.configMaps, source)],
    observe({ objects, existing, report }) {
      if (!isEnabled(gatesFor(objects, version), "ExternalOIDC")) return { config: existing };
      const authentication = findAuthentication(objects);
      if (!authentication) return { config: existing };
      const isCopied = objects.find(resources.configMaps, authConfig) !== undefined;
      if (authentication.type !== "OIDC") {
        if (isCopied) report(normal(reason, `OIDC auth configmap ${target} exists; requested deletion`));
        return { config: {}, syncRules: [{ resource: resources.configMaps, to: authConfig }] };
      }
      if (!hasSource(objects)) return { config: existing };
      if (!isCopied) report(normal(reason, `OIDC auth configmap ${target} does not exist; requested sync`));
      return {
        config: withArguments({ [argument]: [configMapFile(resourceDir, authConfig.name, key)] }),
        syncRules: [{ resource: resources.configMaps, to: authConfig, from: source }],
      };
    },
  };
}

/**
 * True if the ConfigMap exists.
 * @throws Error if the ConfigMap contains no configuration
 */
function hasSource(objects: ObservedObjects): boolean {
  const configMap = objects.find(resources.configMaps, source);
  if (!configMap) return false;
  const data = valueAt(configMap, "data", key);
  const subject = `configmap ${source.namespace}/${source.name} is invalid: key '${key}'`;
  if (data === undefined) throw new Error(`${subject} missing`);
  if (data === "") throw new Error(`${subject} has empty value`);
  return true;
}
