import { listAt, stringAt, valueAt } from "@keelson/base";

const suffixAnnotation = "alpha.installer.openshift.io/dns-suffix";

/**
 * Reads the etcd URLs from the Endpoints `kube-system/host-etcd` of clusters before OpenShift 4.5. The URLs contain the host
 * names in the order of the Endpoints.
 * @throws Error that names the missing field
 */
export function hostEtcdUrls(endpoints: unknown): readonly string[] {
  const subject = "endpoints/host-etcd.kube-system";
  const suffix = valueAt(endpoints, "metadata", "annotations", suffixAnnotation);
  if (typeof suffix !== "string" || suffix === "")
    throw new Error(`${subject}: ${suffixAnnotation} annotation not found`);
  const urls = listAt(endpoints, "subsets").flatMap((subset, subsetIndex) =>
    listAt(subset, "addresses").map((address, addressIndex) => {
      const host = stringAt(address, "hostname");
      if (!host)
        throw new Error(`${subject}: subsets[${subsetIndex}]addresses[${addressIndex}].hostname not found`);
      return `https://${host}.${suffix}:2379`;
    }),
  );
  if (urls.length === 0) throw new Error(`${subject}: no etcd endpoint addresses found`);
  return urls;
}
