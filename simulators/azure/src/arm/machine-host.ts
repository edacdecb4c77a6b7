/** Probe with which load balancers and the health extension check a machine. */
export interface HealthProbe {
  readonly protocol: "https" | "http" | "tcp";
  readonly port: number;
  /** Empty for a TCP probe. */
  readonly path: string;
  readonly intervalSeconds: number;
  /** Number of consecutive failures that make a machine unhealthy. */
  readonly failures: number;
}

/** Load balancer rule that forwards to a machine. */
export interface BalancingRule {
  /** `rp-lbrule` */
  readonly name: string;
  /** `rp-frontend`: the frontend configuration. */
  readonly frontend: string;
  readonly frontendPort: number;
  readonly backendPort: number;
  readonly probe: HealthProbe;
}

/** Machine of a scale set from its host's view. Includes values that clients of ARM cannot read. */
export interface HostedMachine {
  readonly id: string;
  /** `rp-vmss-1_0` */
  readonly name: string;
  /** Base64, as it was written. */
  readonly customData: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly isOn: boolean;
  /** Units that commands run on the machine have stopped. */
  readonly stoppedUnits: readonly string[];
  readonly rules: readonly BalancingRule[];
  /** Probe of the health extension, if it has one with a port. */
  readonly health?: HealthProbe;
}

/** Runs the machines of scale sets. Without a host, machines do not run but are healthy while they are on. */
export interface MachineHost {
  /** Adds or updates a machine. */
  keep(machine: HostedMachine): void;
  /** Removes a machine. */
  remove(id: string): void;
  /** Result of the machine's health extension. */
  isHealthy(id: string): boolean;
  /** Result of a rule's probe. */
  isReady(id: string, rule: string): boolean;
  /** Status code and body of a GET from the machine to itself. Default: 200, empty. */
  respond?(id: string, path: string): { readonly status: number; readonly body: string };
  /** Recent log of the machine's units. */
  readLog(id: string): string;
  /** Waits until all units that must stop have stopped. */
  unitsStopped(id: string, signal: AbortSignal): Promise<void>;
}
