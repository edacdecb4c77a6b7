import { scalarStringAt } from "@keelson/apimachinery";
import { listAt, valueAt } from "@keelson/base";
import { immutable } from "../../catalogue/changes.ts";
import { atLeast, required } from "../../catalogue/checks.ts";
import { humanDuration } from "../../columns/age.ts";
import { ageColumn, nameColumn, text, textOf } from "../../columns/column.ts";
import type { Kind } from "../kind.ts";

/**
 * Built-in kind CertificateSigningRequest. Source of its rules: kubernetes pkg/apis/certificates/v1/defaults.go and
 * pkg/apis/certificates/validation/validation.go.
 */
export const certificateSigningRequest: Kind = {
  group: "certificates.k8s.io",
  versions: ["v1"],
  kind: "CertificateSigningRequest",
  plural: "certificatesigningrequests",
  shortNames: ["csr"],
  namespaced: false,
  subresources: { approval: {}, status: {} },
  columns: [
    nameColumn,
    ageColumn,
    textOf("SignerName", "spec.signerName", "<none>"),
    textOf("Requestor", "spec.username"),
    text("RequestedDuration", (request) => {
      const seconds = valueAt(request, "spec", "expirationSeconds");
      return typeof seconds === "number" ? humanDuration(seconds * 1000) : "<none>";
    }),
    text("Condition", requestCondition),
  ],
  selectableFields: { fields: { "spec.signerName": {} } },
  types: {
    defaults: `
certificates.v1.CertificateSigningRequest status={}
`,
    checks: {
      "certificates.v1.CertificateSigningRequestSpec": [
        ["request", required],
        ["usages", required],
        ["signerName", required],
        ["expirationSeconds", atLeast(600, "may not specify a duration less than 600 seconds (10 minutes)")],
      ],
    },
    changes: {
      "certificates.v1.CertificateSigningRequest": immutable("spec"),
    },
    ownership: `
certificates.v1.CertificateSigningRequestStatus conditions=type
`,
    protobuf: `
certificates.v1.CertificateSigningRequest metadata=1 spec=2 status=3
certificates.v1.CertificateSigningRequestCondition type=1* status=6* reason=2 message=3 lastUpdateTime=4 lastTransitionTime=5
certificates.v1.CertificateSigningRequestSpec request=1 signerName=7* expirationSeconds=8* usages=5 username=2 uid=3 groups=4 extra=6
certificates.v1.CertificateSigningRequestStatus conditions=1 certificate=2
`,
    enums: `
certificates.v1.CertificateSigningRequestSpec.usages any|cert sign|client auth|code signing|content commitment|crl sign|data encipherment|decipher only|digital signature|email protection|encipher only|ipsec end system|ipsec tunnel|ipsec user|key agreement|key encipherment|microsoft sgc|netscape sgc|ocsp signing|s/mime|server auth|signing|timestamping
`,
  },
};

function requestCondition(request: unknown): string {
  const types = listAt(request, "status", "conditions").map((condition) => scalarStringAt(condition, "type"));
  const words = ["Denied", "Approved"].filter((type) => types.includes(type)).slice(0, 1);
  if (words.length === 0) words.push("Pending");
  if (types.includes("Failed")) words.push("Failed");
  if (scalarStringAt(request, "status", "certificate")) words.push("Issued");
  return words.join(",");
}
