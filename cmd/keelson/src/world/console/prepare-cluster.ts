import { silentLogger } from "@keelson/base";
import type { World } from "@keelson/sim-console";
import type { Dispatcher } from "undici";
import { clusterNamed } from "../../options/cluster-ref.ts";
import { azureApis } from "../../rp-client/azure-calls.ts";
import { registerClusterApplication } from "../../rp-client/cluster-application.ts";
import { embeddedNetworkId } from "../../rp-client/cluster-request.ts";
import { embedded } from "../../state/embedded-defaults.ts";
import type { Endpoints } from "../../state/endpoints.ts";
import type { InstanceState } from "../open-state.ts";

const masterSizes = ["Standard_D8s_v3", "Standard_D16s_v3", "Standard_D8s_v5", "Standard_E8s_v5"];
const workerSizes = [
  "Standard_D4s_v3",
  "Standard_D8s_v3",
  "Standard_D4s_v5",
  "Standard_E4s_v5",
  "Standard_F8s_v2",
];

/** Creates the prerequisites of clusters, as `keelson cluster create` does. */
export function clusterPreparation(
  { identity, local }: InstanceState,
  endpoints: Endpoints,
  dispatcher: Dispatcher,
): World["clusters"] {
  const { subscriptionId } = identity;
  const virtualNetworkId = embeddedNetworkId(subscriptionId);
  return {
    choices: {
      versions: embedded.versions.map(({ version }) => version).reverse(),
      masterSizes,
      workerSizes,
    },
    async prepare(name, signal) {
      const caPem = local.authority.certificatePem;
      // Azure's SDK clients are loaded only when the first cluster is created.
      const { seedNetwork } = await import("../seed-network.ts");
      await seedNetwork(endpoints.arm, caPem, identity, [clusterNamed(name)], silentLogger, signal);
      const application = await registerClusterApplication({
        apis: azureApis({ endpoints, dispatcher, signal }),
        subscriptionId,
        displayName: `cluster ${name}`,
        virtualNetworkId,
      });
      return {
        ...application,
        masterSubnetId: `${virtualNetworkId}/subnets/${name}-master`,
        workerSubnetId: `${virtualNetworkId}/subnets/${name}-worker`,
      };
    },
  };
}
