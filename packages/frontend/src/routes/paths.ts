const subscription = "/subscriptions/:subscriptionId";
const group = `${subscription}/resourcegroups/:resourceGroup/providers/:namespace`;
const provider = `${subscription}/providers/:namespace`;
const location = `${provider}/locations/:location`;

/** Patterns of the ARM API, lower case as all routing is. */
export const paths = {
  ready: "/healthz/ready",
  operations: "/providers/:namespace/operations",
  subscription,
  cluster: `${group}/:type/:name`,
  listCredentials: `${group}/:type/:name/listcredentials`,
  credentials: `${group}/:type/:name/credentials`,
  listAdminCredentials: `${group}/:type/:name/listadmincredentials`,
  clustersInGroup: `${group}/:type`,
  clustersInSubscription: `${provider}/:type`,
  preflight: `${group}/deployments/:deployment/preflight`,
  operationStatus: `${location}/operationsstatus/:operationId`,
  operationResult: `${location}/operationresults/:operationId`,
  openShiftVersions: `${location}/openshiftversions`,
  openShiftVersion: `${location}/openshiftversions/:openShiftVersion`,
} as const;
