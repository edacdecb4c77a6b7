export type {
  CertificateRotation,
  CertificateSubject,
  RotatedBundle,
  RotatedSigner,
  RotatedTarget,
  RotationPolicy,
} from "./certificates/certificate-rotation.ts";
export {
  type CertificateRotationOptions,
  certificateRotation,
  type RotationParts,
  type RotationRow,
} from "./certificates/controller.ts";
