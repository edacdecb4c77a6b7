import { operatorNamespace } from "@keelson/aro-api";
import { stringAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import { clusterDomain } from "@keelson/model";
import { defineCollector } from "../collector.ts";
import { certificateMetrics, reportCertificate } from "../secret-certificate.ts";

/**
 * Collects the expiry of certificates that the service has issued. Does nothing if the cluster's domain is not below `zone`,
 * because the service issues no certificates for it.
 */
export const serviceCertificates = (zone: string) =>
  defineCollector({
    name: "emitIngressAndAPIServerCertificateExpiry",
    metrics: certificateMetrics,
    async collect({ view, document, emit, now }) {
      const { domain } = document.openShiftCluster.properties.clusterProfile;
      if (clusterDomain(domain, zone).managedPrefix === undefined) return;
      const ingress = await view.get(resources.ingressControllers, {
        namespace: "openshift-ingress-operator",
        name: "default",
      });
      const ofIngress = stringAt(ingress, "spec", "defaultCertificate", "name");
      if (ofIngress === undefined)
        throw new Error("the default IngressController names no defaultCertificate");
      const ofApiServer = ofIngress.replace("-ingress", "-apiserver");
      for (const name of new Set([ofIngress, ofApiServer])) {
        const place = { namespace: operatorNamespace, name };
        reportCertificate(place, await view.find(resources.secrets, place), now, emit);
      }
    },
  });
