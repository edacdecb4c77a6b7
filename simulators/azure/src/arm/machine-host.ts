/** Health probe of a load balancer or of the health extension. */
export interface HealthProbe {
  readonly protocol: "https" | "http" | "tcp";
  readonly port: number;
  /** HTTP path. Empty for a TCP probe. */
  readonly path: string;
  readonly intervalSeconds: number;
  /** Number of consecutive failures that make a machine unhealthy. */
  readonly failures: number;
}

/** Load balancer rule that forwards to a machine. */
export interface BalancingRule {
  /** Rule name, for example `rp-lbrule`. */
  readonly name: string;
  /** Name of the frontend configuration, for example `rp-frontend`. */
  readonly frontend: string;
  readonly frontendPort: number;
  readonly backendPort: number;
  readonly probe: HealthProbe;
}

/** Scale set machine with the data that its host needs. Some of this data is not readable for ARM clients. */
export interface HostedMachine {
  readonly id: string;
  /** Machine name, for example `rp-vmss-1_0`. */
  readonly name: string;
  /** Custom data in base64, as the client sent it. */
  readonly customData: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly isOn: boolean;
  /** systemd units that were stopped by commands on the machine. */
  readonly stoppedUnits: readonly string[];
  readonly rules: readonly BalancingRule[];
  /** Probe of the health extension. Undefined if the machine has no health extension with a port. */
  readonly health?: HealthProbe;
}

/** Runs the machines of scale sets. Without a machine host, no software runs, and every machine that is on counts as healthy. */
export interface MachineHost {
  /** Adds or updates a machine. */
  keep(machine: HostedMachine): void;
  /** Removes a machine. */
  remove(id: string): void;
  /** Returns the result of the machine's health extension: true if the machine is healthy. */
  isHealthy(id: string): boolean;
  /** True if the probe of a load balancer rule succeeds on the machine. */
  isReady(id: string, rule: string): boolean;
  /** Returns the response to a GET request that the machine sends to itself. Default: status 200 with an empty body. */
  respond?(id: string, path: string): { readonly status: number; readonly body: string };
  /** Returns the recent log of the machine's systemd units. */
  readLog(id: string): string;
  /** Waits until all stopping systemd units have stopped. */
  unitsStopped(id: string, signal: AbortSignal): Promise<void>;
}
