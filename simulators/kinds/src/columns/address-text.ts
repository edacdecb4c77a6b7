import { arrayAt, textAt } from "@keelson/apimachinery";

/** The first `most` items, and how many more there are. */
export function few(items: readonly string[], most: number, separator: string): string {
  const shown = items.slice(0, most).join(separator);
  return items.length > most ? `${shown} + ${items.length - most} more...` : shown;
}

/** Where the load balancer of a Service or an Ingress is. */
export function balancerAddresses(object: unknown): readonly string[] {
  const ingress = arrayAt(object, "status", "loadBalancer", "ingress");
  return ingress
    .map((each) => textAt(each, "ip") || textAt(each, "hostname"))
    .filter((address) => address !== "");
}
