import { randomUUID } from "node:crypto";
import { hostname } from "node:os";

export interface ResourceOptions {
  /** Role of the process. */
  readonly service: string;
  readonly version: string;
  readonly location: string;
  /** Name of the environment, for example int or prod. */
  readonly environment?: string | undefined;
}

/** Identifies this process: a host can run several of one role. */
const instanceId = randomUUID();

/** Attributes of the OpenTelemetry resource of this process (OpenTelemetry semantic conventions, Resource). */
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
