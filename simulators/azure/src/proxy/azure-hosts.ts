/** Hosts of Azure by their own names, as clients have them built in, and where on this listener they are. */
export interface AzureHost {
  /** Goes before the paths of its requests: an account's part of the listener. */
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

/** Of hosts that are named after an account. */
const accounts: readonly { readonly suffix: string; readonly folder: string }[] = [
  { suffix: "vault.azure.net", folder: "vaults" },
  { suffix: "blob.core.windows.net", folder: "blobs" },
  { suffix: "z13.web.core.windows.net", folder: "web" },
  { suffix: "azurecr.io", folder: "registries" },
  // Data endpoint of registries in the region of `keelson up`.
  { suffix: "eastus.data.azurecr.io", folder: "registries" },
];

/** What a certificate must be for to stand in for these hosts. */
export const azureHostNames: readonly string[] = [...whole, ...accounts.map(({ suffix }) => `*.${suffix}`)];

/** Where those who come by Azure's own names sign in. */
export const azureLogin = "https://login.microsoftonline.com";

/** Returns the name of the registry with this host or data endpoint. */
export function registryOfHost(name: string): string | undefined {
  return /^([a-z0-9]{5,50})(?:\.[a-z0-9]+\.data)?\.azurecr\.io$/.exec(name.toLowerCase())?.[1];
}

/** `undefined` for every host that is not stood in for. `name` has no port. */
export function azureHost(name: string): AzureHost | undefined {
  const host = name.toLowerCase();
  if (whole.includes(host)) return { prefix: "" };
  const dot = host.indexOf(".");
  const account = accounts.find(({ suffix }) => suffix === host.slice(dot + 1));
  return account && /^[a-z0-9-]+$/.test(host.slice(0, dot))
    ? { prefix: `/${account.folder}/${host.slice(0, dot)}` }
    : undefined;
}
