import type { Service } from "./service.ts";

/** Check of client-visible behavior with its number in the list. */
export interface Check {
  readonly id: string;
  readonly what: string;
  readonly run: (service: Service) => Promise<void>;
}
