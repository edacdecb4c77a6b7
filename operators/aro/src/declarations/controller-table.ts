import type { Watch } from "@keelson/controller";
import type { OperatorContext } from "../runtime/operator-context.ts";
import type { RegisteredController } from "../runtime/registered-controller.ts";

/**
 * Maximum number of flags that a table row lists. For a controller with more flags, the row contains the common prefix of the
 * flags.
 */
const maxFlags = 5;
const header = [
  "| controller | objects or checks | conditions | flags | additional watches | improvements over the original |",
  "| --- | --- | --- | --- | --- | --- |",
];

/** Controller and the path of its test file, relative to the README. */
export interface TestedController {
  readonly controller: RegisteredController;
  readonly test: string;
}

/** Returns a Markdown table of the controllers. The last column names the test of the controller. */
export function controllerTable(controllers: readonly TestedController[]): string {
  const rows = controllers.map(({ controller, test }) =>
    [
      controller.name,
      controller.documentation.purpose,
      conditionsOf(controller),
      flagsOf(controller),
      watchesOf(controller),
      `${controller.documentation.improvement} ([test](${test}))`,
    ].join(" | "),
  );
  return [...header, ...rows.sort(compareNames).map((row) => `| ${row} |`), ""].join("\n");
}

function compareNames(a: string, b: string): number {
  return a.toLowerCase() < b.toLowerCase() ? -1 : 1;
}

function conditionsOf({
  name,
  conditions,
  conditionNames,
  conditionTypes = [],
}: RegisteredController): string {
  const names = conditionNames ?? (conditions === "none" ? [] : [name]);
  return listed([...conditionTypes, ...names.map((each) => `${each}Controller…`)]) || "none";
}

function flagsOf({ flags = {} }: RegisteredController): string {
  const names = Object.keys(flags);
  if (names.length <= maxFlags) return listed(names) || "none";
  const [first = ""] = names;
  const prefix = first.split(".").slice(0, 2).join(".");
  return listed([`${prefix}.*`]);
}

/** Returns the watched kinds, the names of single watched objects, and the resync interval. */
function watchesOf({ watches, resyncMs }: RegisteredController): string {
  const kinds = Map.groupBy(watches.flatMap(objectOf), ({ kind }) => kind);
  const objects = [...kinds]
    .map(([kind, each]) => {
      const names = new Set(each.map(({ object }) => object));
      const [only] = names;
      return names.size === 1 && only ? `${kind} \`${only}\`` : kind;
    })
    .sort(compareNames);
  const period = resyncMs === undefined ? [] : [`every ${resyncMs / 60_000} minutes`];
  return [...objects, ...period].join(", ") || "nothing";
}

function objectOf(
  watch: Watch<OperatorContext>,
): readonly { readonly kind: string; readonly object: string }[] {
  if (watch.kind === "source") return [];
  const { namespace, fieldSelector = "" } = watch.selection;
  const name = /^metadata\.name=(.+)$/.exec(fieldSelector)?.[1];
  const object = name === undefined ? "" : namespace === undefined ? name : `${namespace}/${name}`;
  return [{ kind: watch.resource.kind, object }];
}

function listed(names: readonly string[]): string {
  return names.map((each) => `\`${each}\``).join(", ");
}
