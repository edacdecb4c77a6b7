import { accessSync, constants, mkdirSync } from "node:fs";
import type { ServicePrincipal } from "@keelson/azure";
import { Secret } from "@keelson/base";
import {
  hiveInstaller,
  type Installer,
  openshiftInstaller,
  simulatedInstaller,
  storedGraph,
} from "@keelson/cluster";
import type { KubeClient } from "@keelson/kube";
import { configErrors } from "./config-errors.ts";
import { readCertificates, readConfigFile, usable } from "./config-files.ts";
import type { InstallerConfig } from "./installer-config.ts";

export interface InstallerDeps {
  /** The service itself: what installers act as for clusters with managed identities. */
  readonly firstParty: ServicePrincipal;
  readonly subscriptionId: string;
  readonly hive: KubeClient | undefined;
}

/** @throws InvalidConfiguration naming the member whose file, folder or program cannot be used */
export function createInstaller(config: InstallerConfig, deps: InstallerDeps): Installer {
  switch (config.kind) {
    case "simulated":
      return simulatedInstaller({
        clustersUrl: config.clustersUrl,
        caPem: readCertificates("installer.caFile", config.caFile).join("\n"),
      });
    case "openshift-install": {
      const { command, workingFolder, environment, timeoutMs } = config;
      usable("installer.command", command[0] ?? "", () => accessSync(command[0] ?? "", constants.X_OK));
      usable("installer.workingFolder", workingFolder, () => {
        mkdirSync(workingFolder, { recursive: true, mode: 0o700 });
        accessSync(workingFolder, constants.W_OK);
      });
      const serviceCredentials = servicePrincipalFile(deps);
      return openshiftInstaller({
        ...{ command, workingFolder, environment, timeoutMs, serviceCredentials },
        ...pullSecretOf(config.pullSecretFile),
      });
    }
    case "hive": {
      const { environment, registry, installerPullspec } = config;
      const { hive: kube } = deps;
      if (!kube)
        throw configErrors.InvalidConfiguration("hive.kubeconfigFile is needed for installer.kind hive");
      const key = new Secret(readConfigFile("installer.graphKeyFile", config.graphKeyFile).trim());
      return hiveInstaller({
        kube,
        environment,
        readGraph: storedGraph(key),
        ...(registry ? { registry } : {}),
        ...(installerPullspec ? { installerPullspec } : {}),
        ...pullSecretOf(config.pullSecretFile),
      });
    }
    default:
      return config satisfies never;
  }
}

function pullSecretOf(path: string | undefined): { readonly pullSecret?: Secret } {
  if (path === undefined) return {};
  const text = readConfigFile("installer.pullSecretFile", path);
  usable("installer.pullSecretFile", path, () => {
    if (!isPullSecret(text)) throw new Error("it is not a JSON object with `auths`");
  });
  return { pullSecret: new Secret(text) };
}

function isPullSecret(text: string): boolean {
  try {
    const auths: unknown = JSON.parse(text)?.auths;
    return typeof auths === "object" && auths !== null;
  } catch {
    return false;
  }
}

function servicePrincipalFile({ firstParty, subscriptionId }: InstallerDeps): Secret {
  const { tenantId, clientId, clientSecret } = firstParty;
  return new Secret(
    JSON.stringify({ subscriptionId, clientId, clientSecret: clientSecret.reveal(), tenantId }),
  );
}
