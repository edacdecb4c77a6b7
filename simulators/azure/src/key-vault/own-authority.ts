import { createCertificateAuthority, type KeyPair } from "@keelson/base";
import type { Store } from "../store/store.ts";

const tenYears = 3_653;

/**
 * Returns the CA that signs by default for all issuers except `Self`. The CA is generated on first use and stored with the
 * subscription.
 */
export async function ownAuthority(store: Store): Promise<KeyPair> {
  const table = store.table<KeyPair>("certificateAuthority");
  const kept = table.get("public");
  if (kept) return kept;
  const made = await createCertificateAuthority("Keelson simulated public CA", tenYears);
  return store.transaction(() => {
    const meanwhile = table.get("public");
    if (!meanwhile) table.set("public", made);
    return meanwhile ?? made;
  });
}
