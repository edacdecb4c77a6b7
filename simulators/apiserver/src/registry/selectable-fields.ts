import { type FieldSelector, failures, type ResourceType } from "@keelson/apimachinery";
import { kindOf } from "@keelson/kinds";

/**
 * Checks the fields of a selector. Returns the selector with each field label resolved to its path in the resource's objects.
 * `custom` lists additional selectable fields of a definition.
 * @throws StatusError 400 for other fields, with the upstream message of the kind
 */
export function requireSelectable(
  selector: FieldSelector,
  { group, plural, origin }: Pick<ResourceType, "group" | "plural" | "origin">,
  custom: readonly string[] = [],
): FieldSelector {
  const own = origin === "builtin" ? kindOf(`${group}/${plural}`)?.selectableFields : undefined;
  return selector.map((requirement) => {
    const { field } = requirement;
    if (metadataFields.includes(field) || custom.includes(field)) return requirement;
    const found = own && Object.hasOwn(own.fields, field) ? own.fields[field] : undefined;
    if (found) return { ...requirement, ...found };
    if (own?.refusal) throw failures.badRequest(own.refusal(field));
    if (own || origin === "custom") throw failures.badRequest(`field label not supported: ${field}`);
    throw failures.badRequest(
      `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`,
    );
  });
}

const metadataFields: readonly string[] = ["metadata.name", "metadata.namespace"];
