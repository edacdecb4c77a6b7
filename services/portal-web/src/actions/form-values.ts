import type { ActionForm, ActionFormParameter } from "@keelson/portal-api";

/** Values of a form's fields by field name. Booleans are `true` or `false`. */
export type FormValues = Readonly<Record<string, string>>;

export interface ActionInput {
  readonly query: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Field of a form. It is a query parameter or a property of the body. */
export interface FormField {
  readonly name: string;
  readonly kind: "text" | "boolean" | "choice" | "json" | "command";
  readonly required: boolean;
  readonly byDefault: string;
  readonly allowed: readonly string[];
}

export function fieldsOf({ parameters }: ActionForm): readonly FormField[] {
  return parameters.flatMap((parameter) =>
    parameter.in === "body" && parameter.fields
      ? parameter.fields.map((name) => ofBody(name))
      : [fieldOf(parameter)],
  );
}

function ofBody(name: string): FormField {
  const kind = name === "command" ? "command" : "text";
  return { name, kind, required: true, byDefault: "", allowed: [] };
}

function fieldOf({
  name,
  in: place,
  type,
  required,
  default: byDefault,
  allowed = [],
}: ActionFormParameter): FormField {
  if (place === "body") return { name, kind: "json", required, byDefault: "", allowed };
  if (type === "boolean")
    return { name, kind: "boolean", required, byDefault: `${byDefault ?? false}`, allowed };
  return { name, kind: allowed.length > 0 ? "choice" : "text", required, byDefault: "", allowed };
}

/** Returns the first problem of the values. Undefined if all values are valid. */
export function problemOf(form: ActionForm, values: FormValues): string | undefined {
  for (const { name, required, kind } of fieldsOf(form)) {
    const value = (values[name] ?? "").trim();
    if (required && value === "") return `'${name}' is required.`;
    if (kind === "json" && value !== "" && !isJsonObject(value)) return `'${name}' must be a JSON object.`;
  }
  return undefined;
}

/** Returns the query and the body for valid values. Omits values that equal their default. */
export function inputOf(form: ActionForm, values: FormValues): ActionInput {
  const query: Record<string, string> = {};
  let body: unknown;
  for (const parameter of form.parameters) {
    const { name, in: place, fields } = parameter;
    const value = values[name]?.trim() ?? "";
    if (place === "query") {
      if (value !== "" && value !== fieldOf(parameter).byDefault) query[name] = value;
    } else if (fields) body = Object.fromEntries(fields.map((each) => [each, values[each] ?? ""]));
    else body = JSON.parse(value);
  }
  return { query, ...(body === undefined ? {} : { body }) };
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
