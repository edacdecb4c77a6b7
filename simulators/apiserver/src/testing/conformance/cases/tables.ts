import assert from "node:assert/strict";
import { isPlainObject, listAt } from "@keelson/base";
import type { ConformanceCase } from "../case.ts";
import { get } from "../requests.ts";

/**
 * Table columns of each resource, one resource per line. A type other than string follows the column name. The type `name` means
 * a string with the format `name`. A plus marks columns of `-o wide`. Service accounts are omitted, because newer releases do not
 * have the column `Secrets`.
 */
const declared = `
v1/componentstatuses Name:name|Status|Message|Error
v1/configmaps Name:name|Data|Age
v1/endpoints Name:name|Endpoints|Age
v1/events Last Seen|Type|Reason|Object|Subobject+|Source+|Message|First Seen+|Count+|Name:name+
v1/limitranges Name:name|Created At:date
v1/namespaces Name:name|Status|Age
v1/nodes Name:name|Status|Roles|Age|Version|Internal-IP+|External-IP+|OS-Image+|Kernel-Version+|Container-Runtime+
v1/persistentvolumeclaims Name:name|Status|Volume|Capacity|Access Modes|StorageClass|VolumeAttributesClass|Age|VolumeMode+
v1/persistentvolumes Name:name|Capacity|Access Modes|Reclaim Policy|Status|Claim|StorageClass|VolumeAttributesClass|Reason|Age|VolumeMode+
v1/pods Name:name|Ready|Status|Restarts|Age|IP+|Node+|Nominated Node+|Readiness Gates+
v1/podtemplates Name:name|Containers|Images|Pod Labels
v1/replicationcontrollers Name:name|Desired:integer|Current:integer|Ready:integer|Age|Containers+|Images+|Selector+
v1/resourcequotas Name:name|Request|Limit|Age
v1/secrets Name:name|Type|Data|Age
v1/services Name:name|Type|Cluster-IP|External-IP|Port(s)|Age|Selector+
admissionregistration.k8s.io/v1/mutatingwebhookconfigurations Name:name|Webhooks:integer|Age
admissionregistration.k8s.io/v1/validatingadmissionpolicies Name:name|Validations:integer|ParamKind|Age
admissionregistration.k8s.io/v1/validatingadmissionpolicybindings Name:name|PolicyName|ParamRef|Age
admissionregistration.k8s.io/v1/validatingwebhookconfigurations Name:name|Webhooks:integer|Age
apiextensions.k8s.io/v1/customresourcedefinitions Name:name|Created At:date
apiregistration.k8s.io/v1/apiservices Name:name|Service|Available|Age
apps/v1/controllerrevisions Name:name|Controller|Revision|Age
apps/v1/daemonsets Name:name|Desired:integer|Current:integer|Ready:integer|Up-to-date:integer|Available:integer|Node Selector|Age|Containers+|Images+|Selector+
apps/v1/deployments Name:name|Ready|Up-to-date|Available|Age|Containers+|Images+|Selector+
apps/v1/replicasets Name:name|Desired:integer|Current:integer|Ready:integer|Age|Containers+|Images+|Selector+
apps/v1/statefulsets Name:name|Ready|Age|Containers+|Images+
autoscaling/v1/horizontalpodautoscalers Name:name|Reference|Targets|MinPods|MaxPods|Replicas|Age
autoscaling/v2/horizontalpodautoscalers Name:name|Reference|Targets|MinPods|MaxPods|Replicas|Age
batch/v1/cronjobs Name:name|Schedule|Timezone|Suspend:boolean|Active:integer|Last Schedule|Age|Containers+|Images+|Selector+
batch/v1/jobs Name:name|Status|Completions|Duration|Age|Containers+|Images+|Selector+
certificates.k8s.io/v1/certificatesigningrequests Name:name|Age|SignerName|Requestor|RequestedDuration|Condition
coordination.k8s.io/v1/leases Name:name|Holder|Age
discovery.k8s.io/v1/endpointslices Name:name|AddressType|Ports|Endpoints|Age
events.k8s.io/v1/events Last Seen|Type|Reason|Object|Subobject+|Source+|Message|First Seen+|Count+|Name:name+
flowcontrol.apiserver.k8s.io/v1/flowschemas Name:name|PriorityLevel|MatchingPrecedence|DistinguisherMethod|Age|MissingPL
flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations Name:name|Type|NominalConcurrencyShares|Queues|HandSize|QueueLengthLimit|Age
networking.k8s.io/v1/ingressclasses Name:name|Controller|Parameters|Age
networking.k8s.io/v1/ingresses Name:name|Class|Hosts|Address|Ports|Age
networking.k8s.io/v1/networkpolicies Name:name|Pod-Selector|Age
node.k8s.io/v1/runtimeclasses Name:name|Handler|Age
policy/v1/poddisruptionbudgets Name:name|Min Available|Max Unavailable|Allowed Disruptions:integer|Age
rbac.authorization.k8s.io/v1/clusterrolebindings Name:name|Role|Age|Users+|Groups+|ServiceAccounts+
rbac.authorization.k8s.io/v1/clusterroles Name:name|Created At:date
rbac.authorization.k8s.io/v1/rolebindings Name:name|Role|Age|Users+|Groups+|ServiceAccounts+
rbac.authorization.k8s.io/v1/roles Name:name|Created At:date
scheduling.k8s.io/v1/priorityclasses Name:name|Value:integer|Global-Default:boolean|Age|PreemptionPolicy
storage.k8s.io/v1/csidrivers Name:name|AttachRequired:boolean|PodInfoOnMount:boolean|StorageCapacity:boolean|TokenRequests|RequiresRepublish:boolean|Modes|Age
storage.k8s.io/v1/csinodes Name:name|Drivers:integer|Age
storage.k8s.io/v1/csistoragecapacities Name:name|Created At:date
storage.k8s.io/v1/storageclasses Name:name|Provisioner|ReclaimPolicy|VolumeBindingMode|AllowVolumeExpansion|Age
storage.k8s.io/v1/volumeattachments Name:name|Attacher:name|PV|Node|Attached:boolean|Age
`;

/** Conformance cases for the table columns of built-in kinds. Clients sort and align tables by the columns. */
export const tableCases: readonly ConformanceCase[] = [
  {
    name: "the columns of every kind have their names, types and priorities",
    async run(api) {
      const wanted = new Map(
        declared
          .trim()
          .split("\n")
          .map((line) => [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1)]),
      );
      assert.ok(wanted.size > 50);
      const accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
      const answered = new Map<string, string>();
      for (const resource of wanted.keys()) {
        const root = /^v\d/.test(resource) ? "/api/" : "/apis/";
        const response = await api.call(get(`${root}${resource}`, { accept }));
        answered.set(resource, listAt(response.body, "columnDefinitions").map(columnText).join("|"));
      }
      assert.deepEqual(Object.fromEntries(answered), Object.fromEntries(wanted));
    },
  },
];

function columnText(column: unknown): string {
  if (!isPlainObject(column)) return "";
  const { name, type, format, priority } = column;
  const kind = format === "" ? type : format;
  return `${name}${kind === "string" ? "" : `:${kind}`}${priority === 1 ? "+" : ""}`;
}
