import type { Service } from "./service.ts";

/** One thing that a client can see, by the number of the list it comes from. */
export interface Check {
  readonly id: string;
  readonly what: string;
  readonly run: (service: Service) => Promise<void>;
}
