import { defineErrors } from "@keelson/base";

/** Errors that prevent the mirroring of one image or of all images. */
export const errors = defineErrors({
  BlobTruncated: { retry: "backoff" },
  DigestMismatch: { retry: "backoff" },
  GraphUnusable: { retry: "never" },
  HostNotAllowed: { retry: "never" },
  InvalidReference: { retry: "never" },
  ManifestInvalid: { retry: "never" },
  MirrorBusy: { retry: "backoff" },
  PayloadUnusable: { retry: "never" },
  SignatureInvalid: { retry: "never" },
  SignatureMissing: { retry: "never" },
  SignInFailed: { retry: "never" },
  StateUnusable: { retry: "never" },
  TooLarge: { retry: "never" },
  UnknownVersion: { retry: "never" },
  UnsupportedVersion: { retry: "never" },
  UploadLost: { retry: "backoff" },
});
