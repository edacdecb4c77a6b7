import type { JsonValue } from "@keelson/base";
import { call, concat, type Expression, resourceId, type TemplateValue, type Value } from "./expression.ts";

/** Entry of a template's `resources` array. */
export interface Resource {
  readonly type: string;
  /** Name segments. A child resource's name begins with the names of its parents. */
  readonly name: readonly Value[];
  readonly location?: Value;
  readonly kind?: string;
  readonly sku?: TemplateValue;
  readonly tags?: TemplateValue;
  readonly zones?: TemplateValue;
  readonly identity?: TemplateValue;
  readonly properties?: TemplateValue;
  /** ID of the resource to which an extension resource, such as a role assignment, belongs. */
  readonly scope?: Expression;
  readonly condition?: Expression;
  readonly dependsOn?: readonly Expression[];
}

type ParameterType = "string" | "securestring" | "int" | "array";

interface Parameter {
  readonly type: ParameterType;
  readonly description: string;
  readonly defaultValue?: JsonValue;
}

export type Parameters = Readonly<Record<string, Parameter>>;

/** ARM template. `file` is its file name in `deploy/`, without `.json`. */
export interface Template<Declared extends Parameters = Parameters> {
  readonly file: string;
  readonly scope: "resourceGroup" | "subscription";
  readonly parameters: Declared;
  readonly resources: readonly Resource[];
}

/** Type of a template's parameter values. Parameters with a default are optional. */
export type ParameterValues<Declared extends Parameters> = {
  readonly [Name in keyof Declared as Declared[Name] extends { defaultValue: JsonValue }
    ? never
    : Name]: JsonValue;
} & {
  readonly [Name in keyof Declared as Declared[Name] extends { defaultValue: JsonValue }
    ? Name
    : never]?: JsonValue;
};

/**
 * Defines a template. `resources` receives an expression for each declared parameter, so a template cannot use undeclared
 * parameters.
 */
export function defineTemplate<const Declared extends Parameters>(definition: {
  readonly file: string;
  readonly scope?: "resourceGroup" | "subscription";
  readonly parameters: Declared;
  readonly resources: (parameters: { readonly [Name in keyof Declared]: Expression }) => readonly Resource[];
}): Template<Declared> {
  const { file, scope = "resourceGroup", parameters } = definition;
  const expressions = Object.fromEntries(
    Object.keys(parameters).map((name) => [name, call("parameters", name)]),
  ) as { readonly [Name in keyof Declared]: Expression };
  return { file, scope, parameters, resources: definition.resources(expressions) };
}

/** Returns the ID of a resource in the same template. */
export function idOf(resource: Resource, child: string = "", ...names: readonly Value[]): Expression {
  return resourceId(child ? `${resource.type}/${child}` : resource.type, [...resource.name, ...names]);
}

/** Renders the template as JSON. The output is deterministic. */
export function renderTemplate(template: Template): string {
  const schema = template.scope === "subscription" ? "subscriptionDeploymentTemplate" : "deploymentTemplate";
  const document = {
    $schema: `https://schema.management.azure.com/schemas/2019-04-01/${schema}.json#`,
    contentVersion: "1.0.0.0",
    parameters: Object.fromEntries(
      Object.entries(template.parameters).map(([name, { type, description, defaultValue }]) => [
        name,
        { type, ...(defaultValue === undefined ? {} : { defaultValue }), metadata: { description } },
      ]),
    ),
    resources: template.resources.map(({ condition, type, name, ...body }) => ({
      ...(condition ? { condition } : {}),
      type,
      apiVersion: apiVersionOf(type),
      name: concat(...name.flatMap((part, index) => (index === 0 ? [part] : ["/", part]))),
      ...body,
    })),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** API versions in the templates, by resource provider. */
const apiVersions: Readonly<Record<string, string>> = {
  "Microsoft.Authorization": "2022-04-01",
  "Microsoft.Compute": "2024-07-01",
  "Microsoft.ContainerRegistry": "2023-07-01",
  "Microsoft.DBforPostgreSQL": "2024-08-01",
  "Microsoft.DocumentDB": "2024-11-15",
  "Microsoft.Insights": "2018-03-01",
  "Microsoft.Insights/actionGroups": "2023-01-01",
  "Microsoft.Insights/autoscaleSettings": "2022-10-01",
  "Microsoft.KeyVault": "2023-07-01",
  "Microsoft.ManagedIdentity": "2023-01-31",
  "Microsoft.Network": "2024-05-01",
  "Microsoft.Network/dnsZones": "2018-05-01",
  "Microsoft.Network/privateDnsZones": "2020-06-01",
  "Microsoft.Storage": "2023-05-01",
};

export function apiVersionOf(type: string): string {
  const [namespace = "", first] = type.split("/");
  const version = apiVersions[`${namespace}/${first}`] ?? apiVersions[namespace];
  if (version === undefined) throw new RangeError(`no API version is noted for ${type}`);
  return version;
}
