import { listAt, objectAt, stringAt, valueAt } from "@keelson/base";
import { failures } from "../failures.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Requires that the strategy of a build supports the options of its request.
 * @throws StatusError 400
 */
export function requireStrategyOf(request: unknown, strategy: Fields, where: string): void {
  const docker = objectAt(request, "dockerStrategyOptions");
  const asksDocker = listAt(docker, "buildArgs").length > 0 || isSet(docker.noCache);
  if (asksDocker && !strategy.dockerStrategy)
    throw failures.badRequest(
      `Cannot specify Docker build specific options on ${where}, not a Docker build.`,
    );
  if (isSet(valueAt(request, "sourceStrategyOptions", "incremental")) && !strategy.sourceStrategy)
    throw failures.badRequest(
      `Cannot specify Source build specific options on ${where}, not a Source build.`,
    );
}

/**
 * Returns the strategy with the environment variables and options of a BuildRequest. Variables and arguments of the request replace
 * those with the same name.
 */
export function requestedStrategy(strategy: Fields, request: unknown): Fields {
  const docker = objectAt(request, "dockerStrategyOptions");
  const incremental = valueAt(request, "sourceStrategyOptions", "incremental");
  const added = listAt(request, "env");
  return Object.fromEntries(
    Object.entries(strategy).map(([field, value]) => {
      if (!field.endsWith("Strategy")) return [field, value];
      const options =
        field === "dockerStrategy"
          ? {
              ...merged(value, "buildArgs", listAt(docker, "buildArgs")),
              ...(isSet(docker.noCache) ? { noCache: docker.noCache } : {}),
            }
          : field === "sourceStrategy" && isSet(incremental)
            ? { incremental }
            : {};
      return [field, { ...objectAt(value), ...merged(value, "env", added), ...options }];
    }),
  );
}

/** Returns a field with the list of variables. The variables in `added` replace existing variables with the same name. */
function merged(strategy: unknown, field: string, added: readonly unknown[]): object {
  if (added.length === 0) return {};
  const names = new Set(added.map((each) => stringAt(each, "name")));
  const kept = listAt(strategy, field).filter((each) => !names.has(stringAt(each, "name")));
  return { [field]: [...kept, ...added] };
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}
