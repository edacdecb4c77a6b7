/** The marketplace image of an OpenShift minor version. */
export function machineImage(version: string) {
  const [major = "4", minor = "0"] = version.split(".");
  return {
    publisher: "azureopenshift",
    offer: "aro4",
    sku: `aro_${major}${minor}`,
    version: "latest",
    resourceID: "",
    type: "MarketplaceNoPlan",
  } as const;
}
