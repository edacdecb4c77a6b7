/** How load balancers and the health extension ask a machine whether it is ready. */
export interface HealthProbe {
  readonly protocol: "https" | "http" | "tcp";
  readonly port: number;
  /** Empty where the probe is a TCP connection. */
  readonly path: string;
  readonly intervalSeconds: number;
  /** So many in a row take a machine out. */
  readonly failures: number;
}

/** A rule of a load balancer that leads to a machine. */
export interface BalancingRule {
  /** `rp-lbrule` */
  readonly name: string;
  /** `rp-frontend`: what its address stands for. */
  readonly frontend: string;
  readonly frontendPort: number;
  readonly backendPort: number;
  readonly probe: HealthProbe;
}

/** A machine of a scale set as what runs it sees it: also what no client of ARM may read. */
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
  /** That of its health extension, where it has one with a port. */
  readonly health?: HealthProbe;
}

/** Runs what machines of scale sets are to run. Without one nothing runs, and machines are as healthy as they are on. */
export interface MachineHost {
  /** There is such a machine, or it has changed. */
  keep(machine: HostedMachine): void;
  /** It is gone. */
  remove(id: string): void;
  /** What the machine's health extension finds. */
  isHealthy(id: string): boolean;
  /** What the probe of a rule finds. */
  isReady(id: string, rule: string): boolean;
  /** What its units wrote last. */
  readLog(id: string): string;
  /** Waits until no unit that is to be stopped runs. */
  unitsStopped(id: string, signal: AbortSignal): Promise<void>;
}
