import type { Address } from "./address.ts";

export interface CosmosRequest {
  readonly method: string;
  readonly address: Address;
  header(name: string): string | undefined;
  /** Parsed JSON body. `undefined` if the message has no body. */
  readonly body: unknown;
  readonly caller: "key" | "token";
}

export interface CosmosResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}
