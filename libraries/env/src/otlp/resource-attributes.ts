import { randomUUID } from "node:crypto";
import { hostname } from "node:os";

export interface ResourceOptions {
  /** Role of the process. */
  readonly service: string;
  readonly version: string;
  readonly location: string;
  /** Name of the environment, for example `int` or `prod`. */
  readonly environment?: string | undefined;
}

/** Unique ID of this process, because a host can run several processes of one role. */
const instanceId = randomUUID();

/** Returns the OpenTelemetry resource attributes of this process, according to the semantic conventions. */
export function resourceAttributes({
  service,
  version,
  location,
  environment,
}: ResourceOptions): Readonly<Record<string, string>> {
  return {
    "service.name": `keelson-${service}`,
    "service.version": version,
    "service.instance.id": instanceId,
    "cloud.region": location,
    "host.name": hostname(),
    ...(environment === undefined ? {} : { "deployment.environment.name": environment }),
  };
}
