import { arrayAt, textAt } from "@keelson/apimachinery";

/** Joins the first `most` items and appends the number of remaining ones. */
export function few(items: readonly string[], most: number, separator: string): string {
  const shown = items.slice(0, most).join(separator);
  return items.length > most ? `${shown} + ${items.length - most} more...` : shown;
}

/** Addresses of a Service's or Ingress's load balancer. */
export function balancerAddresses(object: unknown): readonly string[] {
  const ingress = arrayAt(object, "status", "loadBalancer", "ingress");
  return ingress
    .map((each) => textAt(each, "ip") || textAt(each, "hostname"))
    .filter((address) => address !== "");
}
