import { scalarStringAt } from "@keelson/apimachinery";
import { listAt } from "@keelson/base";

/** Joins the first `most` items and appends the number of omitted items. */
export function few(items: readonly string[], most: number, separator: string): string {
  const shown = items.slice(0, most).join(separator);
  return items.length > most ? `${shown} + ${items.length - most} more...` : shown;
}

/** Returns the addresses of the load balancer of a Service or Ingress. */
export function balancerAddresses(object: unknown): readonly string[] {
  const ingress = listAt(object, "status", "loadBalancer", "ingress");
  return ingress
    .map((each) => scalarStringAt(each, "ip") || scalarStringAt(each, "hostname"))
    .filter((address) => address !== "");
}
