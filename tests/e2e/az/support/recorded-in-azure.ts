/** Azure's recorded response to a command: request kind, status and top-level properties. */
export interface RecordedRow {
  readonly request: RegExp;
  readonly statuses: readonly number[];
  readonly members: readonly string[];
}

const row = (request: RegExp, statuses: readonly number[], members = ""): RecordedRow => ({
  request,
  statuses,
  members: members === "" ? [] : members.split(" "),
});

const network = String.raw`/providers/Microsoft\.Network/virtualNetworks/[^/]+`;
const cluster = "/openShiftClusters/[^/]+";

/** @see Azure/ARO-RP python/az/aro/azext_aro/tests/latest/integration/recordings/test_aro_public_cluster.yaml */
export const recordedInAzure: readonly RecordedRow[] = [
  row(/^GET \/subscriptions\/[^/]+\/resourcegroups\/[^/]+$/i, [200], "id name type location properties"),
  row(new RegExp(`^PUT .*${network}$`), [200, 201], "name id etag type location properties"),
  row(new RegExp(`^GET .*${network}$`), [200], "name id etag type location properties"),
  row(new RegExp(`^PUT .*${network}/subnets/[^/]+$`), [200, 201], "name id etag properties type"),
  row(new RegExp(`^GET .*${network}/subnets/[^/]+$`), [200], "name id etag properties type"),
  row(/^GET .*\/Microsoft\.Authorization\/(permissions|roleAssignments)$/, [200], "value"),
  row(/^PUT .*\/Microsoft\.Authorization\/roleAssignments\/[^/]+$/, [201], "properties id type name"),
  row(
    /^GET \/subscriptions\/[^/]+\/providers\/Microsoft\.RedHatOpenShift$/,
    [200],
    "id namespace authorizations resourceTypes registrationState registrationPolicy",
  ),
  row(/^GET \/v1\.0\/servicePrincipals$/, [200], "@odata.context value"),
  row(new RegExp(`^PUT .*${cluster}$`), [201], "id name type location systemData properties"),
  row(new RegExp(`^GET .*${cluster}$`), [200], "id name type location systemData properties"),
  row(new RegExp(`^PATCH .*${cluster}$`), [200], "id name type location systemData properties"),
  row(/^GET .*\/openShiftClusters$/, [200], "value"),
  row(new RegExp(`^POST .*${cluster}/listCredentials$`), [200], "kubeadminUsername kubeadminPassword"),
  row(new RegExp(`^POST .*${cluster}/listAdminCredentials$`), [200], "kubeconfig"),
  row(/^GET .*\/locations\/[^/]+\/operationsstatus\/[^/]+$/, [200], "id name status startTime"),
  row(new RegExp(`^DELETE .*${cluster}$`), [202]),
];
