/** A variable of a container with a field of its pod (core/v1 EnvVar): `metadata.name`, `spec.nodeName`. */
export function fieldVariable(name: string, fieldPath: string) {
  return { name, valueFrom: { fieldRef: { fieldPath } } };
}
