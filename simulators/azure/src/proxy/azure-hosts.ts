/** Mapping of an Azure host name to a path of this listener. Clients have such host names built in. */
export interface AzureHost {
  /** Path prefix that is added to the path of a request. Empty unless the host name belongs to an account, such as a vault. */
  readonly prefix: string;
}

const whole: readonly string[] = [
  "login.microsoftonline.com",
  "login.microsoft.com",
  "login.windows.net",
  "sts.windows.net",
  "management.azure.com",
  "graph.microsoft.com",
];

/** Suffixes of host names that begin with an account name. */
const accounts: readonly { readonly suffix: string; readonly directory: string }[] = [
  { suffix: "vault.azure.net", directory: "vaults" },
  { suffix: "blob.core.windows.net", directory: "blobs" },
  { suffix: "z13.web.core.windows.net", directory: "web" },
  { suffix: "azurecr.io", directory: "registries" },
  // Data endpoint of registries in the default region of `keelson up`.
  { suffix: "eastus.data.azurecr.io", directory: "registries" },
];

/** DNS names in the proxy's certificate. */
export const azureHostNames: readonly string[] = [...whole, ...accounts.map(({ suffix }) => `*.${suffix}`)];

/** Sign-in URL for clients that use Azure's host names. */
export const azureLogin = "https://login.microsoftonline.com";

/** Returns the registry name in a registry host or data endpoint. Undefined for other host names. */
export function registryOfHost(name: string): string | undefined {
  return /^([a-z0-9]{5,50})(?:\.[a-z0-9]+\.data)?\.azurecr\.io$/.exec(name.toLowerCase())?.[1];
}

/** Returns the mapping for a host name without a port. Returns `undefined` for hosts that are not simulated. */
export function azureHost(name: string): AzureHost | undefined {
  const host = name.toLowerCase();
  if (whole.includes(host)) return { prefix: "" };
  const dot = host.indexOf(".");
  const account = accounts.find(({ suffix }) => suffix === host.slice(dot + 1));
  return account && /^[a-z0-9-]+$/.test(host.slice(0, dot))
    ? { prefix: `/${account.directory}/${host.slice(0, dot)}` }
    : undefined;
}
