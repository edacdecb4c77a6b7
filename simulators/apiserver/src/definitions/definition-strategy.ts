import type { Strategy, StrategyContext } from "@keelson/kinds";
import { markTerminating, validateDefinition, withDefinitionDefaults } from "@keelson/schema";
import type { ResourceDirectory } from "../resources/resource-directory.ts";
import { prepareDefinition } from "./custom-definition.ts";
import { withDefinitionStatus } from "./definition-status.ts";

/** Context of strategies that read the cluster's resources. */
export interface DirectoryContext extends StrategyContext {
  readonly directory: ResourceDirectory;
}

/** Defaulting, status and validation of CustomResourceDefinitions. */
export const definitionStrategy: Strategy<DirectoryContext> = {
  generation: { ignoresDeletion: true },
  applyDefaults: (object, _, { directory, now }) =>
    withDefinitionStatus(withDefinitionDefaults(object), directory, now),
  markDeleted: markTerminating,
  validate: validateDefinition,
  prepare: prepareDefinition,
  requiresResourceVersion: true,
};
