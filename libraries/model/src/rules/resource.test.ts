import { testRules } from "../testing/rule-table.ts";
import { clusterUrl } from "../testing/test-cluster.ts";

const type = "Microsoft.RedHatOpenShift/openShiftClusters";
const id = clusterUrl.id.toLowerCase();

testRules([
  {
    title: "the id of a different resource",
    wrong: { id: "/subscriptions/x" },
    code: "MismatchingResourceID",
    target: "id",
    message: `The provided resource ID '/subscriptions/x' did not match the name in the Url '${id}'.`,
  },
  {
    title: "another name",
    wrong: { name: "other" },
    code: "MismatchingResourceName",
    target: "name",
    message: "The provided resource name 'other' did not match the name in the Url 'cluster'.",
  },
  {
    title: "another type",
    wrong: { type: "Microsoft.Compute/virtualMachines" },
    code: "MismatchingResourceType",
    target: "type",
    message: `The provided resource type 'Microsoft.Compute/virtualMachines' did not match the name in the Url '${type}'.`,
  },
  {
    title: "another region",
    wrong: { location: "westus" },
    target: "location",
    message: "The provided location 'westus' is invalid.",
  },
]);
