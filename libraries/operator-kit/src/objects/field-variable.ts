/** Returns a container variable with the value of a pod field, for example `metadata.name` or `spec.nodeName`. */
export function fieldVariable(name: string, fieldPath: string) {
  return { name, valueFrom: { fieldRef: { fieldPath } } };
}
