import { all, type ConformanceCase } from "../case.ts";
import { refused } from "../refusal.ts";
import { mergePatch, post } from "../requests.ts";

const claims = "/api/v1/namespaces/{ns}/persistentvolumeclaims";
const node = (status: object) => mergePatch("/api/v1/nodes/{ns}/status", { status });
const claim = (status: object) => mergePatch(`${claims}/c/status`, { status });
const negative = 'Invalid value: "-1": must be greater than or equal to 0';
const quantity = "Invalid value: -1: must be a valid resource quantity";
const fraction = 'Invalid value: "1500m": must be an integer';
const resizes =
  '"ControllerResizeInProgress", "ControllerResizeInfeasible", "NodeResizeInProgress", "NodeResizeInfeasible", "NodeResizePending"';

/** Conformance cases for the validation of capacities in the status of nodes and claims. */
export const capacityCases: readonly ConformanceCase[] = [
  {
    name: "the capacity and the addresses of a node",
    async run(api) {
      await all(api, [post("/api/v1/nodes", { apiVersion: "v1", kind: "Node", metadata: { name: "{ns}" } })]);
      await refused("", [
        [node({ capacity: { cpu: "-1" }, allocatable: { cpu: "1" } }), `status.capacity.cpu: ${negative}`],
        [node({ capacity: {}, allocatable: { cpu: "-1" } }), `status.allocatable.cpu: ${negative}`],
        [
          node({ capacity: { "example.com/x": "1.5" }, allocatable: { pods: "1.5" } }),
          `status.capacity.example.com/x: ${fraction}`,
          `status.allocatable.pods: ${fraction}`,
        ],
        [
          node({ addresses: ["a", "a"].map((address) => ({ type: "Hostname", address })) }),
          'status.addresses[1]: Duplicate value: {"Type":"Hostname","Address":"a"}',
        ],
      ]).run(api);
      await all(api, [node({ capacity: { cpu: "1" }, allocatable: { cpu: "2" } })]);
    },
  },
  {
    name: "the capacity of a claim",
    async run(api) {
      const spec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
      await all(api, [
        post(claims, { apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: { name: "c" }, spec }),
      ]);
      await refused("", [
        [claim({ capacity: { storage: "-1" } }), `status.capacity[storage]: ${quantity}`],
        [claim({ allocatedResources: { storage: "-1" } }), `status.allocatedResources[storage]: ${quantity}`],
        [
          claim({ allocatedResources: { cpu: "1" } }),
          'status.allocatedResources: Unsupported value: "cpu": supported values: "storage"',
        ],
        [
          claim({ allocatedResourceStatuses: { storage: "Foo" } }),
          `status.allocatedResourceStatuses: Unsupported value: "storage": supported values: ${resizes}`,
        ],
      ]).run(api);
      await all(api, [claim({ capacity: { storage: "1Gi" }, allocatedResources: { storage: "2Gi" } })]);
    },
  },
];
