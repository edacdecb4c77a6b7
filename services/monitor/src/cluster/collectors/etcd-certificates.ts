import { resources } from "@keelson/kube";
import { compareVersions, parseVersion } from "@keelson/model";
import { fieldsOf } from "../cluster-fields.ts";
import { defineCollector } from "../collector.ts";
import { certificateMetrics, reportCertificate } from "../secret-certificate.ts";

const namespace = "openshift-etcd";
/** First version in which the etcd operator renews its certificates automatically. */
const renewing = { major: 4, minor: 9, patch: 0 };

export const etcdCertificates = defineCollector({
  name: "emitEtcdCertificateExpiry",
  metrics: certificateMetrics,
  async collect({ view, emit, now, signal }) {
    const { actual } = await view.versions();
    const version = actual === undefined ? undefined : parseVersion(actual);
    if (!version || compareVersions(version, renewing) >= 0) return;
    const fields = fieldsOf(resources.secrets);
    const selection = { namespace, fieldSelector: "type=kubernetes.io/tls", fields };
    const { items } = await view.kube.list(resources.secrets, selection, signal);
    for (const secret of items) {
      const { name } = secret.metadata;
      if (/etcd-(peer|serving)/.test(name)) reportCertificate({ namespace, name }, secret, now, emit);
    }
  },
});
