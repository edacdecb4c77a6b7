/** A fault in force. */
export interface FaultView {
  readonly id: string;
  readonly kind: string;
  readonly part: "azure" | "clusters";
  /** Undefined: all clusters, or Azure. */
  readonly cluster?: string;
  readonly parameters: Readonly<Record<string, string | number>>;
  /** Requests that the fault matched. Faults of clusters have no count. */
  readonly matched?: number;
  /** Requests that the fault changed. */
  readonly injected?: number;
}

export interface FaultParameterView {
  readonly name: string;
  readonly type: "text" | "number";
  readonly required: boolean;
  readonly description: string;
}

export interface FaultKindView {
  readonly kind: string;
  readonly part: "azure" | "clusters";
  readonly description: string;
  readonly parameters: readonly FaultParameterView[];
}

export interface FaultsView {
  readonly faults: readonly FaultView[];
  readonly kinds: readonly FaultKindView[];
  /** Names of clusters that a fault can have as its target. */
  readonly clusters: readonly string[];
}

/** Request to inject a fault. */
export interface NewFault {
  readonly kind: string;
  readonly cluster?: string;
  /** Values as typed. */
  readonly parameters: Readonly<Record<string, string>>;
}
