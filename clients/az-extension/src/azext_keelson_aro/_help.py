"""Help of commands."""

import yaml
from knack.help_files import helps

CLUSTER = "--resource-group MyResourceGroup --name MyCluster"
SUBNETS = "--vnet MyVnet --master-subnet MyMasterSubnet --worker-subnet MyWorkerSubnet"


def _help(name, summary, *examples, kind="command", more=None):
    content = {"type": kind, "short-summary": summary}
    if more:
        content["long-summary"] = more
    if examples:
        content["examples"] = [{"name": title, "text": f"az {name} {words}".rstrip()} for title, words in examples]
    helps[name] = yaml.safe_dump(content, sort_keys=False)


_help("aro", "Manage Azure Red Hat OpenShift clusters.", kind="group")
_help(
    "aro create",
    "Create a cluster.",
    ("Create a cluster.", f"{CLUSTER} {SUBNETS}"),
    ("Create a cluster with a supported OpenShift version.", f"{CLUSTER} {SUBNETS} --version X.Y.Z"),
    (
        "Create a cluster with 5 compute nodes and Red Hat pull secret.",
        f"{CLUSTER} {SUBNETS} --worker-count 5 --pull-secret pullsecret.txt",
    ),
    (
        "Create a private cluster.",
        f"{CLUSTER} {SUBNETS} --apiserver-visibility Private --ingress-visibility Private",
    ),
    (
        "Create a cluster and its managed identities.",
        f"{CLUSTER} {SUBNETS} --enable-managed-identity --version X.Y.Z",
    ),
)
_help(
    "aro validate",
    "Validate permissions required to create a cluster.",
    ("Validate permissions.", f"{CLUSTER} {SUBNETS}"),
    ("Validate permissions and OpenShift version.", f"{CLUSTER} {SUBNETS} --version X.Y.Z"),
    (
        "Validate subnets with preconfigured network security groups.",
        f"{CLUSTER} {SUBNETS} --enable-preconfigured-nsg",
    ),
)
_help("aro list", "List clusters.", ("List clusters.", ""), ("List clusters with table view.", "-o table"))
_help(
    "aro get-versions",
    "List versions available for installation.",
    ("List install versions available for the East US region.", "--location eastus"),
    ("List install versions as a table.", "--location eastus -o table"),
)
_help(
    "aro delete",
    "Delete a cluster.",
    ("Delete a cluster.", CLUSTER),
    ("Delete a cluster and its managed identities.", f"{CLUSTER} --delete-identities"),
)
_help("aro show", "Get the details of a cluster.", ("Get the details of a cluster.", CLUSTER))
_help(
    "aro update",
    "Update a cluster.",
    ("Repair the roles of a cluster's service principals.", CLUSTER),
    ("Create a new client secret for the application of a cluster.", f"{CLUSTER} --refresh-credentials"),
)
_help(
    "aro list-credentials",
    "List credentials of a cluster.",
    ("List credentials of a cluster.", CLUSTER),
)
_help(
    "aro get-admin-kubeconfig",
    "List admin kubeconfig of a cluster.",
    ('List admin kubeconfig of a cluster. The default is to save it in a file named "kubeconfig".', CLUSTER),
)
_help(
    "aro wait",
    "Wait for a cluster to reach a desired state.",
    ("Wait until a cluster is created.", f"{CLUSTER} --created"),
    more="If an operation on a cluster was interrupted or was started with `--no-wait`, use this command to wait for "
    "it to complete.",
)
_help(
    "aro watch",
    "Show the progress of a cluster's operation until it completes.",
    ("Follow an operation that was started with `--no-wait`.", CLUSTER),
    ("Follow the operation for at most ten minutes.", f"{CLUSTER} --timeout 600"),
    more="Prints a line to standard error when the state of the cluster or the progress of the operation changes. "
    "The progress is the percentage and the current step, if the service reports them. Exits with an error if the "
    "operation failed.",
)
_help("aro identity", "Manage identities related to Azure Red Hat OpenShift clusters.", kind="group")
_help(
    "aro identity get-required",
    "Get required identities.",
    (
        "Print the commands that create the identities and role assignments.",
        f"--resource-group MyResourceGroup --location eastus {SUBNETS} --version X.Y.Z",
    ),
    more="Get required identities for creating a cluster with managed identities.",
)
_help(
    "aro identity create-required",
    "Create required identities.",
    (
        "Create the identities and role assignments.",
        f"--resource-group MyResourceGroup --location eastus {SUBNETS} --version X.Y.Z",
    ),
    more="Create required identities to prepare for creating a cluster with managed identities.",
)
