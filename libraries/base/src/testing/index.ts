export {
  type CertificateFields,
  ExtendedKeyUsage,
  KeyUsageFlags,
  type MadeCertificate,
  makeCertificate,
  pemOf,
  presented,
} from "./certificate-chain.ts";
export { freePort, freePorts } from "./free-ports.ts";
export { ManualClock } from "./manual-clock.ts";
