const subscription = "/subscriptions/:subscriptionId";
const group = `${subscription}/resourcegroups/:resourceGroup/providers/:namespace`;
const provider = `${subscription}/providers/:namespace`;
/** Path prefix of administrators' routes. These routes require an administrator's credentials. */
const admin = "/admin";
const location = `${provider}/locations/:location`;

/** Path of the cluster in the routes of administrators' actions. */
export const adminClusterPath = `${admin}${group}/:type/:name`;

/** Path patterns of the API in lower case. */
export const paths = {
  ready: "/healthz/ready",
  readyForWrites: "/healthz/ready/write",
  operations: "/providers/:namespace/operations",
  subscription,
  cluster: `${group}/:type/:name`,
  listCredentials: `${group}/:type/:name/listcredentials`,
  credentials: `${group}/:type/:name/credentials`,
  listAdminCredentials: `${group}/:type/:name/listadmincredentials`,
  availabilityStatuses: `${group}/:type/:name/availabilitystatuses`,
  currentAvailabilityStatus: `${group}/:type/:name/availabilitystatuses/current`,
  serviceEvents: `${group}/:type/:name/serviceevents`,
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
  maintenanceSelectors: `${adminClusterPath}/selectors`,
  clusterOperations: `${adminClusterPath}/operations`,
  newKubeconfig: `${adminClusterPath}/kubeconfig/new`,
  newElevatedKubeconfig: `${adminClusterPath}/kubeconfig/newelevated`,
  newElevatedSsh: `${adminClusterPath}/ssh/newelevated`,
  hiveClusterDeployment: `${adminClusterPath}/clusterdeployment`,
  hiveClusterSync: `${adminClusterPath}/clustersync`,
  hiveSyncSets: `${admin}/hivesyncset`,
  hiveSyncSet: `${admin}/hivesyncset/syncsetname/:syncSetName`,
  hiveObjects: `${admin}/hive/k8sobjects/:hiveResource`,
  clusterActions: `${adminClusterPath}/actions`,
  clusterAction: `${adminClusterPath}/actions/:actionId`,
  manifests: `${adminClusterPath}/maintenancemanifests`,
  manifest: `${adminClusterPath}/maintenancemanifests/:manifestId`,
  cancelManifest: `${adminClusterPath}/maintenancemanifests/:manifestId/cancel`,
  queuedManifests: `${admin}/maintenancemanifests/queued`,
  cancelManifests: `${admin}/maintenancemanifests/cancel`,
  schedules: `${admin}/maintenanceschedules`,
  schedule: `${admin}/maintenanceschedules/:scheduleId`,
  billing: `${admin}/billingdocuments`,
  billingDocument: `${admin}/billingdocuments/:billingDocumentId`,
} as const;
