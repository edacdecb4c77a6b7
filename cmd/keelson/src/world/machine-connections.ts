import type { Duplex } from "node:stream";
import type { SimulatedClusters } from "@keelson/sim-openshift";

type ConnectMachine = SimulatedClusters["connectMachine"];

/** Leads connections from the simulated Azure's network to the machines of the clusters, which start after it. */
export class MachineConnections {
  #connect: ConnectMachine | undefined;

  /** Until the clusters stop. */
  lead(connect: ConnectMachine): Disposable {
    this.#connect = connect;
    return {
      [Symbol.dispose]: () => {
        this.#connect = undefined;
      },
    };
  }

  readonly connect = (...args: Parameters<ConnectMachine>): Duplex | undefined => this.#connect?.(...args);
}
