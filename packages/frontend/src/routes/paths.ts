const subscription = "/subscriptions/:subscriptionId";
const group = `${subscription}/resourcegroups/:resourceGroup/providers/:namespace`;
const provider = `${subscription}/providers/:namespace`;
/** Administrators' routes: only callers with an administrator's certificate get there. */
const admin = "/admin";
const location = `${provider}/locations/:location`;

/** Patterns of the API, lower case as all routing is. */
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
  roleSets: `${location}/platformworkloadidentityrolesets`,
  roleSet: `${location}/platformworkloadidentityrolesets/:openShiftMinorVersion`,
  adminVersions: `${admin}/versions`,
  adminRoleSets: `${admin}/platformworkloadidentityrolesets`,
  supportedVmSizes: `${admin}/supportedvmsizes`,
  clusterSummaries: `${admin}/clusters`,
  clustersInRegion: `${admin}/providers/:namespace/:type`,
  maintenanceSelectors: `${admin}${group}/:type/:name/selectors`,
} as const;
