/** Active fault. */
export interface FaultView {
  readonly id: string;
  readonly kind: string;
  readonly part: "azure" | "clusters";
  /** Target cluster. Undefined if the fault applies to all clusters or to Azure. */
  readonly cluster?: string;
  readonly parameters: Readonly<Record<string, string | number>>;
  /** Number of requests that matched the fault. Undefined for cluster faults. */
  readonly matched?: number;
  /** Number of requests that the fault changed. */
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
  /** Names of the clusters that a fault can target. */
  readonly clusters: readonly string[];
}

/** Request to inject a fault. */
export interface NewFault {
  readonly kind: string;
  readonly cluster?: string;
  /** Parameter values as the user typed them. */
  readonly parameters: Readonly<Record<string, string>>;
}
