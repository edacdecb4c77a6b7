import type { JsonObject } from "@keelson/base";
import type { Context, Place } from "./language/context.ts";
import type { Dependencies } from "./template/order.ts";
import type { PlannedResource } from "./template/planned-resource.ts";
import type { ResourceIndex } from "./template/resource-index.ts";
import type { Template } from "./template/template.ts";

/** Deployment with a valid template. Contains the deployment's resources and their dependencies. */
export interface Prepared {
  readonly id: string;
  readonly name: string;
  readonly place: Place;
  readonly mode: "Incremental" | "Complete";
  readonly template: Template;
  readonly hash: string;
  readonly parameters: JsonObject;
  readonly shownParameters: JsonObject;
  readonly context: Context;
  readonly resources: readonly PlannedResource[];
  readonly index: ResourceIndex;
  readonly dependencies: Dependencies;
  readonly isNested: boolean;
}
